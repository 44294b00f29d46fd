import type { Alert, AlertDetails } from '@agency/contract/alerts'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { type RawJson, rawJson } from '../../../platform/http/routes.ts'
import { type AlertsQuery, countAlerts, findAlerts, findAlertsBy, findChildren, findEvents } from '../queries/list.ts'

/** Money only for whoever may see it, as of now. */
export const shownTo = ({ actor, clock }: RequestContext) => ({
  seesMoney: actor.permissions.has('billing.read'),
  now: new Date(clock()),
})

export async function listAlerts(ctx: RequestContext, query: AlertsQuery): Promise<RawJson> {
  const [page, counts] = await Promise.all([findAlerts(ctx.pool, query, shownTo(ctx)), countAlerts(ctx.pool)])
  return rawJson(`${page.slice(0, -1)},"counts":${JSON.stringify(counts)}}`)
}

export async function getAlert(ctx: RequestContext, id: string): Promise<Alert> {
  const [alert] = await findAlertsBy(ctx.pool, 'id', id, shownTo(ctx))
  if (!alert) throw notFound(`Alert ${id}`)
  return alert
}

export async function getDetails(ctx: RequestContext, id: string): Promise<AlertDetails> {
  const [alert, events, children] = await Promise.all([
    getAlert(ctx, id),
    findEvents(ctx.pool, id),
    findChildren(ctx.pool, id),
  ])
  return { ...alert, events, child_alerts: children }
}
