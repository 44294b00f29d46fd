import type { Deployment } from '@agency/contract/types'
import { lazy } from 'react'
import type { BulkAct } from '../../ui/bulk/bulk-act.ts'
import { cancelBlock, retryBlock } from './row-actions.ts'

const BulkCancelDialog = lazy(() => import('./BulkDialogs.tsx').then((m) => ({ default: m.BulkCancelDialog })))
const BulkRetryDialog = lazy(() => import('./BulkDialogs.tsx').then((m) => ({ default: m.BulkRetryDialog })))

/** What can be done with several deployments at once. */
export const deploymentBulk = (denial: string | undefined): readonly BulkAct<Deployment>[] => [
  { label: 'Cancel deployments', denial, blockOf: cancelBlock, dialog: (props) => <BulkCancelDialog {...props} /> },
  { label: 'Retry', denial, blockOf: retryBlock, dialog: (props) => <BulkRetryDialog {...props} /> },
]
