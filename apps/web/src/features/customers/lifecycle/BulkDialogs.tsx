import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import type { Customer, LifecyclePreview } from '@agency/contract/types'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { call, q } from '../../../lib/api.ts'
import { nameOf } from '../../../lib/names.ts'
import { BulkDialog } from '../../../ui/bulk/BulkDialog.tsx'
import type { Plan } from '../../../ui/bulk/BulkRow.tsx'
import type { BulkDialogProps } from '../../../ui/bulk/bulk-act.ts'
import { liftBlock, suspendBlock } from './lifecycle-actions.ts'
import { lifecycleReads } from './lifecycle-reads.ts'
import { reachOf } from './reach.tsx'
import { SuspensionFields } from './SuspensionFields.tsx'
import { useSuspensionChoice } from './suspension-choice.ts'

const unit = ['account', 'accounts'] as const
const fresh = { staleTime: 0, placeholderData: keepPreviousData }

type Answer = { data?: { preview: LifecyclePreview } | undefined; error: Error | null; isPlaceholderData: boolean }

/** What will happen to each, as the server tells it now. */
function plansOf(
  rows: readonly Customer[],
  answers: readonly Answer[],
  blockOf: (row: Customer) => string | undefined,
) {
  const plans = new Map(rows.map((row, index): [string, Plan | undefined] => [row.id, planOf(answers[index])]))
  return (row: Customer): Plan | undefined => {
    const blocked = blockOf(row)
    return blocked === undefined ? plans.get(row.id) : { blocked }
  }
}

function planOf(answer: Answer | undefined): Plan | undefined {
  if (answer?.error) return { blocked: 'The preview could not be loaded' }
  if (!answer?.data || answer.isPlaceholderData) return undefined
  const { preview } = answer.data
  return { lines: reachOf(preview), blocked: preview.blocked ?? undefined }
}

export function BulkSuspendDialog(props: BulkDialogProps<Customer>) {
  const [rows] = useState(props.rows)
  const { choice, setChoice, body, query, blocked } = useSuspensionChoice()
  const answers = useQueries({
    queries: rows.map(({ id }) => ({ ...q(customerLifecycle.previewSuspension, { params: { id }, query }), ...fresh })),
  })
  return (
    <BulkDialog
      {...props}
      {...{ unit, nameOf, stale: lifecycleReads }}
      verb="Suspend"
      destructive
      planOf={plansOf(rows, answers, suspendBlock)}
      blockedReason={blocked}
      send={({ id }, idempotencyKey) =>
        call(customerLifecycle.suspendCustomer, { params: { id }, body }, { idempotencyKey }).then(() => 'Suspending')
      }
    >
      {(isLocked) => (
        <SuspensionFields choice={choice} disabled={isLocked} mailTo="the customers" onChange={setChoice} />
      )}
    </BulkDialog>
  )
}

export function BulkLiftDialog(props: BulkDialogProps<Customer>) {
  const [rows] = useState(props.rows)
  const [notice, setNotice] = useState(false)
  const query = { notice: notice ? ('true' as const) : ('false' as const) }
  const answers = useQueries({
    queries: rows.map(({ id }) => ({
      ...q(customerLifecycle.previewUnsuspension, { params: { id }, query }),
      ...fresh,
    })),
  })
  return (
    <BulkDialog
      {...props}
      {...{ unit, nameOf, stale: lifecycleReads }}
      verb="Lift suspension of"
      planOf={plansOf(rows, answers, liftBlock)}
      send={({ id }, idempotencyKey) =>
        call(customerLifecycle.unsuspendCustomer, { params: { id }, body: { notice } }, { idempotencyKey }).then(
          () => 'Lifting the suspension',
        )
      }
    >
      {(isLocked) => (
        <FormControlLabel
          control={<Checkbox checked={notice} onChange={(_, checked) => setNotice(checked)} disabled={isLocked} />}
          label="Email the customers"
        />
      )}
    </BulkDialog>
  )
}
