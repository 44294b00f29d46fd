import type { RequestContext, TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { durableRun, type Outcome, retriedByItself } from '../../../platform/runs/durable-run.ts'
import type { RunRow } from '../../../platform/runs/queries.ts'
import { notify } from '../../notifications/index.ts'
import { suspensionName } from '../job-settings.ts'
import { findRow, lockRow, patchRow } from '../queries/sites.ts'
import { findOpenSuspension, patchSuspension, type SuspensionRow } from '../queries/suspensions.ts'
import { attachAll, detachAll, type Verdict } from './at-pages.ts'
import { lift } from './request.ts'

/** After so many tries in a row somebody is told; it goes on by itself all the same. */
const toldAfter = 5

/** What a suspension takes from the provider, and gives back. */
export const siteSuspension = durableRun({
  name: suspensionName,
  steps: { detach, attach },
  topics: ['sites'],
  judge: (error) => ({ reason: reasonOf(error) }),
  mostTries: Number.POSITIVE_INFINITY,
  lock: (tx, siteId) => lockRow(tx.db, siteId),
  async postponed(tx, run, { tries, reason }) {
    await patchSuspension(tx.db, (await openOf(tx, run.subject)).id, { note: retriedByItself(reason) })
    if (tries === toldAfter) await tellStuck(tx, run, reason)
  },
  failed: (tx, run, _step, reason) => tellStuck(tx, run, reason),
})

async function openOf({ db }: Pick<RequestContext, 'db'>, siteId: string): Promise<SuspensionRow> {
  const open = await findOpenSuspension(db, siteId)
  if (!open) throw new Error(`Site ${siteId} is not suspended`)
  return open
}

async function detach(ctx: RequestContext, run: RunRow): Promise<Outcome> {
  const verdict = await detachAll(ctx, await openOf(ctx, run.subject))
  return { state: 'done', note: verdict.note, record: (tx) => settle(tx, run.subject, verdict) }
}

async function attach(ctx: RequestContext, run: RunRow): Promise<Outcome> {
  const note = await attachAll(ctx, await openOf(ctx, run.subject))
  return { state: 'done', note, record: (tx) => giveBack(tx, run.subject, note) }
}

const deedOf = ({ deed_id }: SuspensionRow) => (deed_id === null ? {} : { deed_id })

async function settle(tx: TransactionContext, siteId: string, { isOffline, note }: Verdict): Promise<void> {
  const open = await openOf(tx, siteId)
  await patchSuspension(tx.db, open.id, { state: 'suspended', suspended_at: new Date(tx.clock()), note })
  await patchRow(tx.db, siteId, { at_provider: isOffline ? 'offline' : 'still_served' })
  await recordAudit(tx, {
    action: 'site.suspend',
    resource: 'site',
    id: siteId,
    after: {
      state: 'done',
      asked_by: open.actor_name,
      domains: open.domains,
      is_offline: isOffline,
      note,
      ...deedOf(open),
    },
  })
}

async function giveBack(tx: TransactionContext, siteId: string, note: string | null): Promise<void> {
  const site = await lockRow(tx.db, siteId)
  if (!site) return
  const open = await openOf(tx, siteId)
  await patchSuspension(tx.db, open.id, { note })
  await lift(tx, site, open)
  await recordAudit(tx, {
    action: 'site.resume',
    resource: 'site',
    id: siteId,
    after: { state: 'done', domains: open.domains, note, ...deedOf(open) },
  })
}

const reasonOf = (error: unknown): string =>
  error instanceof AppError && error.code !== 'internal' ? error.message.replace(/\.$/, '') : 'Unknown error'

async function tellStuck(tx: TransactionContext, run: RunRow, reason: string): Promise<void> {
  const name = (await findRow(tx.db, run.subject))?.site_name ?? 'A site'
  await notify(tx, {
    siteId: run.subject,
    dedupeKey: `site.suspension:${run.id}`,
    type: 'site.suspension',
    severity: 'error',
    permission: 'sites.read',
    title: run.kind === 'suspend' ? `${name} could not be taken offline` : `${name} could not be brought online`,
    body: retriedByItself(reason),
    link: `/admin/sites?open=${encodeURIComponent(run.subject)}`,
  })
}
