import type { Customer } from '@agency/contract/types'
import { lazy } from 'react'
import type { BulkAct } from '../../../ui/bulk/bulk-act.ts'
import { liftBlock, suspendBlock } from './lifecycle-actions.ts'

const BulkSuspendDialog = lazy(() => import('./BulkDialogs.tsx').then((m) => ({ default: m.BulkSuspendDialog })))
const BulkLiftDialog = lazy(() => import('./BulkDialogs.tsx').then((m) => ({ default: m.BulkLiftDialog })))

/** What can be done with several accounts at once. */
export const lifecycleBulk = (denial: string | undefined): readonly BulkAct<Customer>[] => [
  { label: 'Suspend', denial, blockOf: suspendBlock, dialog: (props) => <BulkSuspendDialog {...props} /> },
  { label: 'Lift suspension', denial, blockOf: liftBlock, dialog: (props) => <BulkLiftDialog {...props} /> },
]
