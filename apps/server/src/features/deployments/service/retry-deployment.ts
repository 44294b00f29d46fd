import type { DeploymentDetails } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { findRow } from '../queries/rows.ts'
import { getDeployment } from './get-deployment.ts'
import { requestDeployment } from './request.ts'

/** Once more: the same commit where the provider can, and of a rollback the same build. */
export async function retryDeployment(
  ctx: RequestContext,
  id: string,
  reason: string | null,
  claim: Claim | null,
): Promise<{ deployment: DeploymentDetails; is_repeat: boolean }> {
  const row = await findRow(ctx.db, id)
  if (!row) throw notFound(`Deployment ${id}`)
  const { can } = await getDeployment(ctx, id)
  if (can.retry !== null) throw new AppError('conflict', `${can.retry}. Nothing was changed.`)
  const wanted =
    row.kind === 'rollback' && row.rolled_back_to !== null
      ? ({ kind: 'rollback', rolledBackTo: row.rolled_back_to, restoresEnvironment: row.restores_environment } as const)
      : ({ kind: 'retry', retryOf: id } as const)
  return requestDeployment(ctx, row.site_id, { ...wanted, reason }, claim)
}
