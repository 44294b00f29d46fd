import { randomUUID } from 'node:crypto'
import type { createRoute, QuietHours, Route, updateRoute } from '@agency/contract/channels'
import type { BodyOf } from '@agency/contract/endpoint'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import { findChannel } from '../queries/channels.ts'
import {
  countKnown,
  deleteRouteRow,
  findShownRoute,
  findShownRoutes,
  insertRoute,
  lockRoute,
  patchRoute,
  type RouteRow,
  type ShownRoute,
} from '../queries/routes.ts'
import { isTimeZone, minutesOf, timeOf } from '../quiet-hours.ts'

type Quiet = Pick<RouteRow, 'quiet_from' | 'quiet_until' | 'time_zone'>

const quietOf = ({ quiet_from, quiet_until, time_zone }: Quiet): QuietHours | null =>
  quiet_from === null || quiet_until === null || time_zone === null
    ? null
    : { from: timeOf(quiet_from), until: timeOf(quiet_until), time_zone }

/** Throws what are no hours. */
export function quietColumns(quiet: QuietHours | null): Quiet {
  if (quiet === null) return { quiet_from: null, quiet_until: null, time_zone: null }
  const { from, until, time_zone } = quiet
  if (!isTimeZone(time_zone)) throw invalidParameter('quiet', 'must name a time zone such as Europe/Berlin')
  if (from === until) throw invalidParameter('quiet', 'must begin and end at different times')
  return { quiet_from: minutesOf(from), quiet_until: minutesOf(until), time_zone }
}

const shown = (row: ShownRoute): Route => ({
  ...{ id: row.id, channel_id: row.channel_id, channel_name: row.channel_name, min_severity: row.min_severity },
  ...{ customers: row.customers, plans: row.plans, quiet: quietOf(row) },
  ...{ is_enabled: row.is_enabled, version: row.version },
})

export const listRoutes = async (ctx: RequestContext): Promise<Route[]> => (await findShownRoutes(ctx)).map(shown)

async function getRoute(ctx: RequestContext, id: string): Promise<Route> {
  const row = await findShownRoute(ctx, id)
  if (!row) throw notFound(`Route ${id}`)
  return shown(row)
}

type Chosen = { customer_ids?: string[] | undefined; plan_ids?: string[] | undefined }

async function refuseUnknown(tx: TransactionContext, { customer_ids = [], plan_ids = [] }: Chosen): Promise<void> {
  const known = await countKnown(tx, customer_ids, plan_ids)
  if (known.customers < new Set(customer_ids).size) throw invalidParameter('customer_ids', 'names an unknown customer')
  if (known.plans < new Set(plan_ids).size) throw invalidParameter('plan_ids', 'names an unknown plan')
}

const audited = (row: Omit<RouteRow, 'created_at' | 'version'>, channelName: string | undefined) => ({
  ...{ name: `to ${channelName ?? row.channel_id}`, min_severity: row.min_severity },
  ...{ customers: row.customer_ids, plans: row.plan_ids, quiet: quietOf(row), is_enabled: row.is_enabled },
})

const nameOf = async (tx: TransactionContext, { channel_id }: RouteRow): Promise<string | undefined> =>
  (await findChannel(tx, channel_id))?.name

export async function addRoute(ctx: RequestContext, body: BodyOf<typeof createRoute>): Promise<Route> {
  const { quiet, ...chosen } = body
  const id = `route_${randomUUID()}`
  await inTransaction(ctx, async (tx) => {
    const channel = await findChannel(tx, chosen.channel_id)
    if (!channel) throw invalidParameter('channel_id', 'names no channel')
    await refuseUnknown(tx, chosen)
    const row = { id, ...chosen, ...quietColumns(quiet), created_at: new Date(tx.clock()) }
    await insertRoute(tx, row)
    await recordAudit(tx, {
      ...{ action: 'notification_route.create', resource: 'notification_route', id },
      after: audited({ ...row, is_enabled: true }, channel.name),
    })
  })
  return getRoute(ctx, id)
}

export async function changeRoute(
  ctx: RequestContext,
  id: string,
  { version, quiet, ...changes }: BodyOf<typeof updateRoute>,
): Promise<Route> {
  await inTransaction(ctx, async (tx) => {
    const before = await lockRoute(tx, id)
    if (!before) throw notFound(`Route ${id}`)
    if (before.version !== version)
      throw new AppError('conflict', 'Someone else changed this route. Nothing was saved.', {
        parameter: 'version',
      })
    await refuseUnknown(tx, changes)
    const set = {
      ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
      ...(quiet !== undefined && quietColumns(quiet)),
    }
    await patchRoute(tx, id, set)
    const name = await nameOf(tx, before)
    await recordAudit(tx, {
      ...{ action: 'notification_route.update', resource: 'notification_route', id },
      ...{ before: audited(before, name), after: audited({ ...before, ...set }, name) },
    })
  })
  return getRoute(ctx, id)
}

export async function removeRoute(ctx: RequestContext, id: string): Promise<{ deleted: true }> {
  await inTransaction(ctx, async (tx) => {
    const before = await lockRoute(tx, id)
    if (!before) throw notFound(`Route ${id}`)
    await deleteRouteRow(tx, id)
    await recordAudit(tx, {
      ...{ action: 'notification_route.delete', resource: 'notification_route', id },
      before: audited(before, await nameOf(tx, before)),
    })
  })
  return { deleted: true }
}
