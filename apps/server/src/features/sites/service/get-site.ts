import type { SiteDetails, SiteStatus } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { findOpenRun } from '../../../platform/runs/queries.ts'
import { suspensionName } from '../job-settings.ts'
import { findStatusChanges } from '../queries/history.ts'
import { findOwner } from '../queries/owners.ts'
import { countDeployments, findRow, findShown, type SiteRow } from '../queries/sites.ts'
import { findOpenSuspension, type SuspensionRow } from '../queries/suspensions.ts'
import { nextByHand } from '../rules/transitions.ts'
import { toSettings, toStatusChange, toSuspension } from './shown.ts'

const shownChanges = 50

const underWay = 'A deployment is running. Wait or cancel the deployment.'

/** Why it cannot be deleted now. */
export function whyNotDeleted(suspension: SuspensionRow | undefined, openDeployments: number): string | null {
  if (openDeployments > 0) return underWay
  if (suspension?.state === 'suspending') return 'Going offline. Wait until done.'
  return suspension?.state === 'resuming' ? 'Going back online. Wait until done.' : null
}

function canOf(site: SiteRow, suspension: SuspensionRow | undefined, openDeployments: number): SiteDetails['can'] {
  const isSuspended = site.status === 'suspended'
  return {
    suspend: isSuspended && suspension?.state !== 'resuming' ? 'Already suspended' : null,
    resume: isSuspended && suspension?.state !== 'resuming' ? null : 'Not suspended',
    delete: whyNotDeleted(suspension, openDeployments),
    deploy: isSuspended ? 'Suspended: resume first' : noProvider(site),
  }
}

const noProvider = ({ provider }: SiteRow): string | null =>
  provider === null ? 'Choose a host under Configuration first' : null

/** Everything about one site that its dialog shows. */
export async function getSite({ db }: Pick<RequestContext, 'db'>, id: string): Promise<SiteDetails> {
  const [shown, row] = await Promise.all([findShown(db, id), findRow(db, id)])
  if (!shown || !row) throw notFound(`Site ${id}`)
  const [owner, suspension, run, changes, deployments] = await Promise.all([
    row.customer_id === null ? undefined : findOwner(db, row.customer_id),
    findOpenSuspension(db, id),
    findOpenRun(db, suspensionName, id),
    findStatusChanges(db, id, shownChanges),
    countDeployments(db, id),
  ])
  return {
    ...shown,
    owner: owner ?? null,
    settings: toSettings(row),
    suspension: suspension ? toSuspension(suspension, run) : null,
    status_changes: changes.map(toStatusChange),
    next_statuses: nextByHand(row.status as SiteStatus),
    can: canOf(row, suspension, deployments.open),
  }
}
