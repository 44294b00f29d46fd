import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import * as customers from '@agency/contract/descriptors/customers'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import { nameOf } from '../../../lib/names.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import type { DialogProps } from './acts.ts'
import { lifecycleReads } from './lifecycle-reads.ts'

export function RestoreDialog({ id, onStarted, onClose }: DialogProps) {
  const { data } = useQuery(q(customers.getCustomer, { params: { id } }))
  const name = data ? nameOf(data.customer) : 'the customer'
  const toast = useToast()
  const act = useCall(customerLifecycle.restoreCustomer, lifecycleReads, { isOneIntent: true })
  const handleDone = () => {
    toast.success(`Restored ${name}`)
    onStarted(id)
  }
  const isGone = data?.customer.deleted ?? false
  return (
    <ConfirmDialog
      title={`Restore customer: ${name}`}
      consequences={[
        'The customer appears in the lists again',
        'The planned erasure is cancelled',
        ...(isGone ? ['Data deleted at Stripe stays deleted'] : []),
      ]}
      confirmLabel="Restore customer"
      pending={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate({ params: { id } }, { onSuccess: handleDone })}
      onClose={onClose}
    />
  )
}
