import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { sessionLock } from '../../../platform/job-connections.ts'
import { notify } from '../../notifications/index.ts'
import { suspensionSettings } from '../job-settings.ts'
import { lockRow, patchRow } from '../queries/sites.ts'
import {
  findDueSuspensions,
  findOpenSuspension,
  lockSuspension,
  patchSuspension,
  type SuspensionRow,
} from '../queries/suspensions.ts'
import { attachAll, detachAll, type Verdict } from './at-pages.ts'
import { lift } from './request.ts'

const firstPauseMs = 5000
const longestPauseMs = 10 * 60_000
/** After so many tries in a row somebody is told; it goes on by itself all the same. */
const toldAfter = 5

const pauseAfter = (tries: number): number => Math.min(firstPauseMs * 2 ** Math.min(tries - 1, 20), longestPauseMs)

/** Goes on with one site's suspension as far as it gets. One process at a time; whatever ends it, the next goes on. */
export async function advanceSuspension(ctx: RequestContext, siteId: string, signal?: AbortSignal): Promise<void> {
  const release = await sessionLock(ctx.pool, `suspension of ${siteId}`)
  if (!release) return
  try {
    while (!signal?.aborted) {
      const open = await findOpenSuspension(ctx.db, siteId)
      if (!open || open.state === 'suspended' || !(await tryOnce(ctx, open))) return
    }
  } finally {
    await release()
  }
}

/** Answers whether it came to its end, or was asked for something else meanwhile. */
async function tryOnce(ctx: RequestContext, open: SuspensionRow): Promise<boolean> {
  try {
    if (open.state === 'suspending') {
      const verdict = await detachAll(ctx, open)
      await inTransaction(ctx, (tx) => ifStill(tx, open, (now) => settle(tx, now, verdict)))
    } else {
      const note = await attachAll(ctx, open)
      await inTransaction(ctx, (tx) => ifStill(tx, open, (now) => giveBack(tx, now, note)))
    }
    return true
  } catch (error) {
    ctx.log.warn({ err: error, site: open.site_id, state: open.state }, 'a suspension did not get further')
    await inTransaction(ctx, (tx) => ifStill(tx, open, (now) => postpone(tx, now, error)))
    return false
  }
}

/** Only if nobody asked for the opposite while the provider was being asked. */
async function ifStill(
  tx: TransactionContext,
  open: SuspensionRow,
  work: (now: SuspensionRow) => Promise<void>,
): Promise<void> {
  const site = await lockRow(tx.db, open.site_id)
  const now = await lockSuspension(tx.db, open.id)
  if (site && now && now.state === open.state) await work(now)
}

async function settle(tx: TransactionContext, now: SuspensionRow, { isOffline, note }: Verdict): Promise<void> {
  const at = new Date(tx.clock())
  await patchSuspension(tx.db, now.id, {
    ...{ state: 'suspended', suspended_at: at, note, tries: 0, next_try_at: null },
  })
  await patchRow(tx.db, now.site_id, { at_provider: isOffline ? 'offline' : 'still_served' })
  await recordAudit(tx, {
    action: 'site.suspend',
    resource: 'site',
    id: now.site_id,
    after: { state: 'done', asked_by: now.actor_name, domains: now.domains, is_offline: isOffline, note },
  })
}

async function giveBack(tx: TransactionContext, now: SuspensionRow, note: string | null): Promise<void> {
  const site = await lockRow(tx.db, now.site_id)
  if (!site) return
  await patchSuspension(tx.db, now.id, { note })
  await lift(tx, site, now)
  await recordAudit(tx, {
    action: 'site.resume',
    resource: 'site',
    id: now.site_id,
    after: { state: 'done', domains: now.domains, note },
  })
}

const reasonOf = (error: unknown): string =>
  error instanceof AppError && error.code !== 'internal'
    ? error.message.replace(/\.$/, '')
    : 'It ended in a way that is not known'

async function postpone(tx: TransactionContext, now: SuspensionRow, error: unknown): Promise<void> {
  const tries = now.tries + 1
  const nextTryAt = new Date(tx.clock() + pauseAfter(tries))
  const note = `${reasonOf(error)}. It is tried again by itself.`
  await patchSuspension(tx.db, now.id, { tries, next_try_at: nextTryAt, note })
  await tx.jobs.enqueue(tx, suspensionSettings, { site: now.site_id }, { key: now.site_id, startAfter: nextTryAt })
  if (tries !== toldAfter) return
  await notify(tx, {
    dedupeKey: `site.suspension:${now.id}:${now.state}`,
    type: 'site.suspension',
    severity: 'error',
    permission: 'sites.read',
    title: now.state === 'suspending' ? 'A site could not be taken offline' : 'A site could not be brought back',
    body: `${reasonOf(error)}. It is tried again by itself.`,
    link: `/admin/sites?open=${encodeURIComponent(now.site_id)}`,
  })
}

/** Once a minute, and when a process starts: what an ended process left. */
export async function sweepSuspensions(ctx: RequestContext, signal: AbortSignal): Promise<void> {
  for (const site of await findDueSuspensions(ctx.db, new Date(ctx.clock()))) {
    if (signal.aborted) return
    await advanceSuspension(ctx, site, signal)
  }
}
