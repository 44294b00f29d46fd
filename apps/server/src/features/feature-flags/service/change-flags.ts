import { randomUUID } from 'node:crypto'
import type { BodyOf } from '@agency/contract/endpoint'
import type {
  createFeatureFlag,
  FeatureFlag,
  revertFeatureFlag,
  updateFeatureFlag,
} from '@agency/contract/feature-flags'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import { findOpenRun } from '../../../platform/runs/queries.ts'
import { rolloutName } from '../job-settings.ts'
import {
  type FlagPatch,
  type FlagRow,
  findFlags,
  findNames,
  findOwner,
  insertFlag,
  lockFlag,
  lockPrerequisites,
  patchFlag,
  rankCustomers,
} from '../queries/flags.ts'
import { findVersion } from '../queries/history.ts'
import { type Audience, findCircle } from '../rollout.ts'
import { idsOf, isWider, patchOf, settingsOf } from '../settings.ts'
import { getFlag } from './get-flags.ts'

type Change = BodyOf<typeof updateFeatureFlag>
type Terms = Omit<Change, 'version'>

export async function lockLive(tx: TransactionContext, id: string): Promise<FlagRow> {
  const flag = await lockFlag(tx, id)
  if (!flag) throw notFound(`Feature flag ${id}`)
  if (flag.archived_at) throw new AppError('conflict', 'This flag is archived. Restore it first.')
  return flag
}

export function refuseOutdated(flag: FlagRow, version: number | undefined): void {
  if (version === undefined) throw invalidParameter('version', 'is needed, but to switch a flag off')
  if (version !== flag.version)
    throw new AppError('conflict', 'Someone else changed this flag. Nothing was saved.', { parameter: 'version' })
}

/** What a rollout sets is left to it: two that set the percentage would undo each other. */
async function refuseDuringRollout(tx: TransactionContext, id: string): Promise<void> {
  if (await findOpenRun(tx.db, rolloutName, id))
    throw new AppError('conflict', 'A rollout sets the percentage of this flag. Cancel the rollout first.')
}

const unique = (audience: Audience): Audience => ({
  customers: [...new Set(audience.customers)],
  sites: [...new Set(audience.sites)],
  plans: [...new Set(audience.plans)],
  domains: [...new Set(audience.domains)],
})

/** Only what comes in is looked up: what was named before and is gone since may stay. */
async function refuseUnknown(tx: TransactionContext, terms: Terms, before: FlagRow | null): Promise<void> {
  for (const field of ['always', 'never'] as const) {
    const named = terms[field]
    if (!named) continue
    const ids = idsOf([named])
    const names = await findNames(tx, ids)
    for (const kind of ['customers', 'sites', 'plans'] as const) {
      const known = new Set([...names[kind].map(({ id }) => id), ...(before?.[field][kind] ?? [])])
      const unknown = ids[kind].find((id) => !known.has(id))
      if (unknown !== undefined) throw invalidParameter(`${field}.${kind}`, `names ${unknown}, which does not exist`)
    }
  }
}

async function checkPrerequisites(tx: TransactionContext, id: string, needed: readonly string[]): Promise<void> {
  await lockPrerequisites(tx)
  const flags = await findFlags(tx)
  const live = new Set(flags.filter(({ archived_at }) => archived_at === null).map((flag) => flag.id))
  if (needed.includes(id)) throw invalidParameter('prerequisites', 'must be other flags')
  if (needed.some((one) => !live.has(one))) throw invalidParameter('prerequisites', 'names a flag that does not exist')
  const needs = new Map(flags.map((flag) => [flag.id, flag.prerequisites] as const))
  needs.set(id, [...needed])
  if (findCircle(id, needs) !== null)
    throw invalidParameter('prerequisites', 'would make a circle: one of them needs this flag itself')
}

async function ownerColumns(tx: TransactionContext, id: string | null, before: FlagRow | null) {
  if (id === null) return { owner_id: null, owner_name: null }
  if (id === before?.owner_id) return { owner_id: id, owner_name: before.owner_name }
  const owner = await findOwner(tx, id)
  if (!owner) throw invalidParameter('owner_id', 'names nobody who has an account')
  return { owner_id: owner.id, owner_name: owner.name }
}

async function columnsOf(tx: TransactionContext, id: string, terms: Terms, before: FlagRow | null): Promise<FlagPatch> {
  const { owner_id, prerequisites, always, never, ...plain } = terms
  await refuseUnknown(tx, terms, before)
  if (prerequisites) await checkPrerequisites(tx, id, prerequisites)
  return {
    ...(Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)) as FlagPatch),
    ...(always && { always: unique(always) }),
    ...(never && { never: unique(never) }),
    ...(prerequisites && { prerequisites: [...new Set(prerequisites)] }),
    ...(owner_id !== undefined && (await ownerColumns(tx, owner_id, before))),
  }
}

export async function createFlag(ctx: RequestContext, body: BodyOf<typeof createFeatureFlag>): Promise<FeatureFlag> {
  const id = `flag_${randomUUID()}`
  await inTransaction(ctx, async (tx) => {
    const { name, ...terms } = body
    const columns = await columnsOf(tx, id, terms, null)
    const now = new Date(tx.clock())
    const { always, never, guard } = columns
    const isNew = await insertFlag(tx, {
      ...{ ...columns, id, name, rollout_percentage: body.rollout_percentage, rollout_by: body.rollout_by },
      ...{ kind: body.kind, always: JSON.stringify(always), never: JSON.stringify(never) },
      guard: guard ? JSON.stringify(guard) : null,
      ...(body.enabled && { first_enabled_at: now, widened_at: now }),
      ...{ created_at: now, created_by: tx.actor.name, updated_at: now },
    })
    if (!isNew) throw new AppError('conflict', `There is a flag ${name} already`, { parameter: 'name' })
    if (body.rollout_by === 'revenue') await rankCustomers(tx, id)
    const row = await lockLive(tx, id)
    await recordAudit(tx, { action: 'feature_flag.create', resource: 'feature_flag', id, after: settingsOf(row) })
  })
  return getFlag(ctx, id)
}

type Saved = { action: string; before: FlagRow; patch: FlagPatch; reason?: string }

/** Writes settings and their entry together; what changes nothing is not written. */
export async function saveSettings(tx: TransactionContext, { action, before, patch, reason }: Saved): Promise<void> {
  const now = new Date(tx.clock())
  const after = { ...before, ...patch }
  const was = settingsOf(before)
  if (JSON.stringify(settingsOf(after)) === JSON.stringify(was)) return
  if (after.rollout_by === 'revenue' && before.rollout_by !== 'revenue') await rankCustomers(tx, before.id)
  const saved = await patchFlag(tx, before.id, {
    ...{ ...patch, updated_at: now },
    ...(after.enabled && before.first_enabled_at === null && { first_enabled_at: now }),
    ...(isWider(before, patch) && { widened_at: now }),
  })
  await recordAudit(tx, {
    ...{ action, resource: 'feature_flag', id: before.id, before: was },
    after: { ...settingsOf(saved), ...(reason !== undefined && { reason }) },
  })
}

const setByRollout = ['rollout_percentage', 'rollout_by'] as const

/** To switch a flag off nobody needs to know its newest state. */
const isKill = ({ version: _, ...terms }: Change): boolean =>
  terms.enabled === false && Object.values(terms).filter((value) => value !== undefined).length === 1

export async function updateFlag(ctx: RequestContext, id: string, change: Change): Promise<FeatureFlag> {
  const { version, ...terms } = change
  await inTransaction(ctx, async (tx) => {
    const before = await lockLive(tx, id)
    if (!isKill(change)) refuseOutdated(before, version)
    if (setByRollout.some((field) => terms[field] !== undefined && terms[field] !== before[field]))
      await refuseDuringRollout(tx, id)
    const patch = await columnsOf(tx, id, terms, before)
    await saveSettings(tx, { action: 'feature_flag.update', before, patch })
    if (before.enabled && patch.enabled === false) await pauseIfOpen(tx, id, 'The flag was switched off')
  })
  return getFlag(ctx, id)
}

/** A step must not switch on again what somebody has switched off. */
export async function pauseIfOpen(tx: TransactionContext, id: string, reason: string): Promise<void> {
  if (!(await findOpenRun(tx.db, rolloutName, id))) return
  const flag = await lockFlag(tx, id)
  if (!flag || flag.paused_at) return
  await patchFlag(tx, id, { paused_at: new Date(tx.clock()), paused_reason: reason }, false)
  await recordAudit(tx, {
    ...{ action: 'feature_flag.pause_rollout', resource: 'feature_flag', id },
    after: { name: flag.name, reason },
  })
}

export async function archiveFlag(ctx: RequestContext, id: string): Promise<FeatureFlag> {
  await inTransaction(ctx, async (tx) => {
    await lockPrerequisites(tx)
    const before = await lockFlag(tx, id)
    if (!before) throw notFound(`Feature flag ${id}`)
    if (before.archived_at) return
    await refuseDuringRollout(tx, id)
    const needing = (await findFlags(tx)).find((flag) => !flag.archived_at && flag.prerequisites.includes(id))
    if (needing) throw new AppError('conflict', `${needing.name} needs this flag. Take it out there first.`)
    const now = new Date(tx.clock())
    const after = await patchFlag(tx, id, { archived_at: now, updated_at: now })
    await recordAudit(tx, {
      ...{ action: 'feature_flag.archive', resource: 'feature_flag', id },
      ...{ before: settingsOf(before), after: settingsOf(after) },
    })
  })
  return getFlag(ctx, id)
}

export async function restoreFlag(ctx: RequestContext, id: string): Promise<FeatureFlag> {
  await inTransaction(ctx, async (tx) => {
    const before = await lockFlag(tx, id)
    if (!before) throw notFound(`Feature flag ${id}`)
    if (!before.archived_at) return
    await checkPrerequisites(tx, id, before.prerequisites)
    const after = await patchFlag(tx, id, { archived_at: null, enabled: false, updated_at: new Date(tx.clock()) })
    await recordAudit(tx, {
      ...{ action: 'feature_flag.restore', resource: 'feature_flag', id },
      ...{ before: settingsOf(before), after: settingsOf(after) },
    })
  })
  return getFlag(ctx, id)
}

export async function revertFlag(
  ctx: RequestContext,
  id: string,
  { to, version }: BodyOf<typeof revertFeatureFlag>,
): Promise<FeatureFlag> {
  await inTransaction(ctx, async (tx) => {
    const before = await lockLive(tx, id)
    refuseOutdated(before, version)
    const then = await findVersion(tx, id, to)
    if (!then) throw invalidParameter('to', 'must be a version of this flag')
    await refuseDuringRollout(tx, id)
    await checkPrerequisites(tx, id, then.prerequisites)
    const reason = `Back to version ${to}`
    await saveSettings(tx, { action: 'feature_flag.revert', before, patch: patchOf(then), reason })
  })
  return getFlag(ctx, id)
}
