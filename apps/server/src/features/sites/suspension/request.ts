import { randomUUID } from 'node:crypto'
import type { SiteStatus } from '@agency/contract/types'
import type { TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { beginRun, cancelRun } from '../../../platform/runs/change.ts'
import { lockOpenRun } from '../../../platform/runs/queries.ts'
import { probeSoon } from '../../probes/index.ts'
import { suspensionName } from '../job-settings.ts'
import { patchRow, type SiteRow } from '../queries/sites.ts'
import { findOpenSuspension, insertSuspension, patchSuspension, type SuspensionRow } from '../queries/suspensions.ts'
import { settled } from '../rules/transitions.ts'
import { changeStatus } from '../service/change-status.ts'
import { providerSettingsOf } from '../service/shown.ts'
import { canTakeOffline, whyStillServed } from './words.ts'

/** Whoever asks for the opposite calls off what was asked for before. */
async function askProvider(tx: TransactionContext, subject: string, kind: 'suspend' | 'resume'): Promise<void> {
  const open = await lockOpenRun(tx.db, suspensionName, subject)
  if (open) await cancelRun(tx, open)
  const name = kind === 'suspend' ? 'detach' : 'attach'
  await beginRun(tx, {
    ...{ id: randomUUID(), name: suspensionName, kind, subject, topic: 'sites', options: {} },
    steps: [{ name, target: null, payload: {} }],
  })
}

export type SuspensionRequest = {
  reason: string
  customerId: string | null
  /** The change of the customer that it is part of: the log tells both together. */
  runId?: string
}

/** Suspended here at once; where the provider can take the site offline, a job does. A second request changes nothing. */
export async function requestSuspension(
  tx: TransactionContext,
  site: SiteRow,
  request: SuspensionRequest,
): Promise<void> {
  const open = await findOpenSuspension(tx.db, site.id)
  if (open && open.state !== 'resuming') return
  const { reason, customerId, runId: deed_id = randomUUID() } = request
  const takesOffline = open ? open.provider === 'pages' : canTakeOffline(site)
  const atProvider = takesOffline ? 'suspending' : 'still_served'
  if (open) await suspendAgain(tx, open, { ...request, deed_id })
  else await insertNew(tx, site, { ...request, deed_id }, takesOffline)
  if (open) await patchRow(tx.db, site.id, { at_provider: atProvider, status_reason: reason })
  else await changeStatus(tx, site, { to: 'suspended', cause: 'suspension', reason }, { at_provider: atProvider })
  await recordAudit(tx, {
    action: 'site.suspend',
    resource: 'site',
    id: site.id,
    before: { status: site.status },
    after: {
      state: takesOffline ? 'requested' : 'done',
      reason,
      customer_id: customerId,
      at_provider: atProvider,
      deed_id,
    },
  })
  if (takesOffline) await askProvider(tx, site.id, 'suspend')
}

type Told = SuspensionRequest & { deed_id: string }

/** It was being brought back: what it takes from the provider is known already. */
const suspendAgain = (tx: TransactionContext, open: SuspensionRow, { reason, customerId, deed_id }: Told) =>
  patchSuspension(tx.db, open.id, {
    ...{ state: 'suspending', reason, customer_id: customerId, actor_name: tx.actor.name, note: null, deed_id },
  })

async function insertNew(
  tx: TransactionContext,
  site: SiteRow,
  { reason, customerId, deed_id }: Told,
  takesOffline: boolean,
): Promise<void> {
  const at = new Date(tx.clock())
  await insertSuspension(tx.db, {
    ...{ id: randomUUID(), site_id: site.id, reason, actor_name: tx.actor.name, customer_id: customerId, deed_id },
    // What was set by hand for a while ends with the suspension.
    status_before: settled((site.status_after ?? site.status) as SiteStatus, site.last_deployment !== null),
    ...{ provider: site.provider, project: providerSettingsOf(site).project ?? null, created_at: at },
    ...(takesOffline ? { state: 'suspending' } : { state: 'suspended', suspended_at: at, note: whyStillServed(site) }),
  })
}

/** Lifts a suspension; what was taken from the provider is given back by a job first. A second request changes nothing. */
export async function requestResumption(
  tx: TransactionContext,
  site: SiteRow,
  deed_id: string = randomUUID(),
): Promise<void> {
  const open = await findOpenSuspension(tx.db, site.id)
  if (!open) throw new AppError('conflict', 'The site is not suspended. Nothing was changed.')
  if (open.state === 'resuming') return
  const givesBack = open.provider === 'pages'
  const told = { state: givesBack ? 'requested' : 'done', domains: open.domains, deed_id }
  await recordAudit(tx, { action: 'site.resume', resource: 'site', id: site.id, after: told })
  if (!givesBack) return lift(tx, site, open)
  await patchSuspension(tx.db, open.id, { state: 'resuming', note: null, deed_id })
  await patchRow(tx.db, site.id, { at_provider: 'resuming' })
  await askProvider(tx, site.id, 'resume')
}

/** The site is what it was before. */
export async function lift(tx: TransactionContext, site: SiteRow, open: SuspensionRow): Promise<void> {
  await patchSuspension(tx.db, open.id, {
    ...{ state: 'lifted', lifted_at: new Date(tx.clock()), lifted_by: tx.actor.name },
  })
  const to = settled(open.status_before as SiteStatus, site.last_deployment !== null)
  await changeStatus(tx, site, { to, cause: 'resumption' }, { at_provider: 'served' })
  await probeSoon(tx, site.id)
}
