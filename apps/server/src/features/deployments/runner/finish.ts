import type { ServedBuild } from '@agency/contract/types'
import type { TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { notify } from '../../notifications/index.ts'
import { probeSoon } from '../../probes/index.ts'
import { noteDeployment, rollbackEnvironment } from '../../sites/index.ts'
import { type DeploymentRow, findRow, findSiteName, patchRow } from '../queries/rows.ts'

export type Ending = {
  status: 'success' | 'failed' | 'cancelled'
  failure?: string | null
  served?: ServedBuild | null
  /** It is certain that the provider has nothing of it. */
  isNothing?: boolean
}

const verbs = { success: 'succeed', failed: 'fail', cancelled: 'cancel' } as const

export const isOver = ({ status }: DeploymentRow): boolean =>
  status !== 'queued' && status !== 'building' && status !== 'deploying'

async function tellFailure(tx: TransactionContext, row: DeploymentRow, siteName: string, failure: string) {
  await notify(tx, {
    siteId: row.site_id,
    dedupeKey: `deployment.failed:${row.id}`,
    type: 'deployment.failed',
    severity: 'error',
    permission: 'sites.read',
    title: `A ${row.kind === 'rollback' ? 'rollback' : 'deployment'} of ${siteName} failed`,
    body: `${failure}. The previous version should still be live.`,
    link: `/admin/deployments?open=${encodeURIComponent(row.id)}`,
  })
}

/** The environment of then becomes the current one with the same transaction that the rollback succeeds in. */
async function restoreEnvironment(tx: TransactionContext, row: DeploymentRow): Promise<string | null> {
  if (!row.restores_environment || row.rolled_back_to === null) return null
  const target = await findRow(tx.db, row.rolled_back_to)
  const version = target?.environment_version ?? null
  if (version === null) return 'Its variables are unknown; the current ones stay'
  try {
    const made = await rollbackEnvironment(tx, row.site_id, version)
    return `Restored environment version ${version} as version ${made}, for later builds`
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `The environment of version ${version} could not be restored: ${error.message}`
  }
}

async function tellSite(tx: TransactionContext, row: DeploymentRow, { status }: Ending, now: Date): Promise<string> {
  const note =
    status === 'success'
      ? ({ state: 'succeeded', at: now, url: null, storageMb: null } as const)
      : ({ state: 'ended', at: now } as const)
  if (row.started_at !== null || status === 'success') await noteDeployment(tx, row.site_id, note)
  if (status === 'success') await probeSoon(tx, row.site_id)
  return findSiteName(tx.db, row.site_id)
}

/** Ends a deployment, once; with what it leaves behind in the same transaction. */
export async function finish(tx: TransactionContext, row: DeploymentRow, ending: Ending): Promise<void> {
  if (isOver(row)) return
  const now = new Date(tx.clock())
  const failure = ending.failure ?? null
  const restored = ending.status === 'success' ? await restoreEnvironment(tx, row) : null
  await patchRow(tx.db, row.id, {
    ...{ status: ending.status, failure, completed_at: now, lease_owner: null, lease_until: null },
    ...{ wait_note: null, provider_error: null },
    duration:
      row.started_at === null ? null : Math.max(0, Math.round((now.getTime() - row.started_at.getTime()) / 1000)),
    is_log_complete: true,
    ...(ending.served && { served: JSON.stringify(ending.served) }),
    ...(ending.isNothing && { sent_at: null }),
    ...(restored !== null && { environment_note: restored }),
  })
  const siteName = await tellSite(tx, row, ending, now)
  await recordAudit(tx, {
    action: `deployment.${verbs[ending.status]}`,
    resource: 'deployment',
    id: row.id,
    outcome: ending.status === 'failed' ? 'failed' : 'done',
    before: { status: row.status },
    after: {
      ...{ status: ending.status, site_id: row.site_id, kind: row.kind, version: row.version, build_id: row.build_id },
      ...(failure !== null && { failure }),
      ...(row.rolled_back_to !== null && { rolled_back_to: row.rolled_back_to }),
      ...(ending.served && { served_build: ending.served.build_id }),
      ...(row.actor_name !== null && { started_by: row.actor_name }),
    },
  })
  if (ending.status === 'failed') await tellFailure(tx, row, siteName, failure ?? 'Unknown reason')
}
