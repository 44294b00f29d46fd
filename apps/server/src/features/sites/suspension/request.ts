import { randomUUID } from 'node:crypto'
import type { SiteStatus } from '@agency/contract/types'
import type { TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { probeSoon } from '../../probes/index.ts'
import { suspensionSettings } from '../job-settings.ts'
import { patchRow, type SiteRow } from '../queries/sites.ts'
import { findOpenSuspension, insertSuspension, patchSuspension, type SuspensionRow } from '../queries/suspensions.ts'
import { settled } from '../rules/transitions.ts'
import { changeStatus } from '../service/change-status.ts'
import { providerSettingsOf } from '../service/shown.ts'
import { canTakeOffline, whyStillServed } from './words.ts'

const workOn = (tx: TransactionContext, siteId: string) =>
  tx.jobs.enqueue(tx, suspensionSettings, { site: siteId }, { key: siteId })

export type SuspensionRequest = { reason: string; customerId: string | null }

/** Suspended here at once; where the provider can take the site offline, a job does. A second request changes nothing. */
export async function requestSuspension(
  tx: TransactionContext,
  site: SiteRow,
  request: SuspensionRequest,
): Promise<void> {
  const open = await findOpenSuspension(tx.db, site.id)
  if (open && open.state !== 'resuming') return
  const { reason, customerId } = request
  const takesOffline = open ? open.provider === 'pages' : canTakeOffline(site)
  const atProvider = takesOffline ? 'suspending' : 'still_served'
  if (open) await suspendAgain(tx, open, request)
  else await insertNew(tx, site, request, takesOffline)
  if (open) await patchRow(tx.db, site.id, { at_provider: atProvider, status_reason: reason })
  else await changeStatus(tx, site, { to: 'suspended', cause: 'suspension', reason }, { at_provider: atProvider })
  await recordAudit(tx, {
    action: 'site.suspend',
    resource: 'site',
    id: site.id,
    before: { status: site.status },
    after: { state: takesOffline ? 'requested' : 'done', reason, customer_id: customerId, at_provider: atProvider },
  })
  if (takesOffline) await workOn(tx, site.id)
}

/** It was being brought back: what it takes from the provider is known already. */
const suspendAgain = (tx: TransactionContext, open: SuspensionRow, { reason, customerId }: SuspensionRequest) =>
  patchSuspension(tx.db, open.id, {
    ...{ state: 'suspending', reason, customer_id: customerId, actor_name: tx.actor.name },
    ...{ note: null, tries: 0, next_try_at: new Date(tx.clock()) },
  })

async function insertNew(
  tx: TransactionContext,
  site: SiteRow,
  { reason, customerId }: SuspensionRequest,
  takesOffline: boolean,
): Promise<void> {
  const at = new Date(tx.clock())
  await insertSuspension(tx.db, {
    ...{ id: randomUUID(), site_id: site.id, reason, actor_name: tx.actor.name, customer_id: customerId },
    // What was set by hand for a while ends with the suspension.
    status_before: settled((site.status_after ?? site.status) as SiteStatus, site.last_deployment !== null),
    ...{ provider: site.provider, project: providerSettingsOf(site).project ?? null, created_at: at },
    ...(takesOffline
      ? { state: 'suspending', next_try_at: at }
      : { state: 'suspended', suspended_at: at, note: whyStillServed(site) }),
  })
}

/** Lifts a suspension; what was taken from the provider is given back by a job first. A second request changes nothing. */
export async function requestResumption(tx: TransactionContext, site: SiteRow): Promise<void> {
  const open = await findOpenSuspension(tx.db, site.id)
  if (!open) throw new AppError('conflict', 'The site is not suspended. Nothing was changed.')
  if (open.state === 'resuming') return
  const givesBack = open.provider === 'pages'
  const told = { state: givesBack ? 'requested' : 'done', domains: open.domains }
  await recordAudit(tx, { action: 'site.resume', resource: 'site', id: site.id, after: told })
  if (!givesBack) return lift(tx, site, open)
  const now = new Date(tx.clock())
  await patchSuspension(tx.db, open.id, { state: 'resuming', note: null, tries: 0, next_try_at: now })
  await patchRow(tx.db, site.id, { at_provider: 'resuming' })
  await workOn(tx, site.id)
}

/** The site is what it was before. */
export async function lift(tx: TransactionContext, site: SiteRow, open: SuspensionRow): Promise<void> {
  await patchSuspension(tx.db, open.id, {
    ...{ state: 'lifted', lifted_at: new Date(tx.clock()), lifted_by: tx.actor.name, next_try_at: null, tries: 0 },
  })
  const to = settled(open.status_before as SiteStatus, site.last_deployment !== null)
  await changeStatus(tx, site, { to, cause: 'resumption' }, { at_provider: 'served' })
  await probeSoon(tx, site.id)
}
