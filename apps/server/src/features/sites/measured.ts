import type { SiteStatus } from '@agency/contract/types'
import type { TransactionContext } from '../../context.ts'
import { evaluateSoon } from '../alerts/index.ts'
import type { Measured } from '../probes/index.ts'
import { lockRow, patchRow, type SiteRow } from './queries/sites.ts'
import { findOpenSuspension, patchSuspension } from './queries/suspensions.ts'
import { afterDeployment, settled } from './rules/transitions.ts'
import { changeStatus } from './service/change-status.ts'

/** What a look at the site found. It is nobody's change, so it has neither a version nor an audit entry. */
export async function applyProbe(
  tx: Pick<TransactionContext, 'db' | 'jobs'>,
  siteId: string,
  { at, health, before, detail, responseMs, ssl, score }: Measured,
): Promise<void> {
  if (health !== before) await evaluateSoon(tx)
  // Last, because the totals that it changes are those of all sites: the looks at the others wait until this one is kept.
  await patchRow(tx.db, siteId, {
    ...{ health_status: health, health_checked_at: at, health_detail: detail, response_ms: responseMs },
    ...(ssl && { ssl_status: ssl.status, ssl_expires_at: ssl.expiresAt, ssl_issuer: ssl.issuer, ssl_checked_at: at }),
    ...(score !== null && { performance_score: score, scored_at: at }),
  })
}

export async function noteBandwidth(
  tx: Pick<TransactionContext, 'db'>,
  siteId: string,
  { gb, at }: { gb: number; at: Date },
): Promise<void> {
  await patchRow(tx.db, siteId, { bandwidth_used: gb, bandwidth_used_at: at })
}

export type DeploymentNote =
  | { state: 'started'; at: Date }
  | { state: 'succeeded'; at: Date; url: string | null; storageMb: number | null }
  /** Failed, or called off. */
  | { state: 'ended'; at: Date }

const measuredBy = (note: DeploymentNote) =>
  note.state !== 'succeeded'
    ? {}
    : {
        last_deployment: note.at,
        ...(note.storageMb !== null && { storage_used: note.storageMb, storage_used_at: note.at }),
      }

/** The status that waits behind the one that is shown knows of the deployment too. */
async function noteBehind(tx: TransactionContext, site: SiteRow): Promise<void> {
  if (site.status_after !== null) await patchRow(tx.db, site.id, { status_after: settled('deploying', true) })
  const suspension = site.status === 'suspended' ? await findOpenSuspension(tx.db, site.id) : undefined
  if (suspension && suspension.status_before !== 'maintenance')
    await patchSuspension(tx.db, suspension.id, { status_before: settled('deploying', true) })
}

/** What a deployment has come to. A site that is suspended, in maintenance or deleted keeps its status. */
export async function noteDeployment(tx: TransactionContext, siteId: string, note: DeploymentNote): Promise<void> {
  const site = await lockRow(tx.db, siteId)
  if (!site) return
  const from = site.status as SiteStatus
  const to = afterDeployment(from, note.state, site.last_deployment !== null)
  const measured = measuredBy(note)
  if (to !== from) {
    await changeStatus(tx, site, { to, cause: 'deployment' }, measured)
    return
  }
  if (note.state !== 'succeeded') return
  await patchRow(tx.db, siteId, measured)
  await noteBehind(tx, site)
}
