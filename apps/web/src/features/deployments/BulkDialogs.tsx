import * as deployments from '@agency/contract/descriptors/deployments'
import type { Deployment } from '@agency/contract/types'
import { call } from '../../lib/api.ts'
import { BulkDialog } from '../../ui/bulk/BulkDialog.tsx'
import type { BulkDialogProps } from '../../ui/bulk/bulk-act.ts'
import { buildOf, cancelledText, cancelReach, startedText } from './deployment-words.ts'
import { deploymentReads } from './deployments-list.ts'
import { cancelBlock, retryBlock } from './row-actions.ts'

const unit = ['deployment', 'deployments'] as const
const nameOf = (row: Deployment) => `${row.site_name} ${row.version ?? ''}`.trim()

export function BulkCancelDialog(props: BulkDialogProps<Deployment>) {
  return (
    <BulkDialog
      {...props}
      {...{ unit, nameOf, stale: deploymentReads }}
      verb="Cancel"
      cancelLabel="Keep deployments"
      destructive
      planOf={(row) => ({ lines: cancelReach(row), blocked: cancelBlock(row) })}
      send={({ id }, idempotencyKey) =>
        call(deployments.cancelDeployment, { params: { id } }, { idempotencyKey }).then(({ deployment }) =>
          cancelledText(deployment),
        )
      }
    />
  )
}

export function BulkRetryDialog(props: BulkDialogProps<Deployment>) {
  return (
    <BulkDialog
      {...props}
      {...{ unit, nameOf, stale: deploymentReads }}
      verb="Retry"
      planOf={(row) => ({ lines: [`Builds ${buildOf(row)} again as a new deployment`], blocked: retryBlock(row) })}
      send={({ id }, idempotencyKey) =>
        call(deployments.retryDeployment, { params: { id } }, { idempotencyKey }).then(({ deployment, is_repeat }) =>
          startedText(deployment, is_repeat),
        )
      }
    />
  )
}
