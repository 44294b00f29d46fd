import { lazy, Suspense } from 'react'
import { useSubscriptionParts } from '../../lib/subscription-parts.ts'
import type { CustomerAct } from './customer-actions.ts'

const AddCustomerDialog = lazy(() =>
  import('./AddCustomerDialog.tsx').then((module) => ({ default: module.AddCustomerDialog })),
)
const EditCustomerDialog = lazy(() =>
  import('./EditCustomerDialog.tsx').then((module) => ({ default: module.EditCustomerDialog })),
)

type Props = { act: CustomerAct | undefined; onAdded: (id: string) => void; onClose: () => void }

/** Waits by itself, so that the details below stay while a dialog loads. */
export function CustomerDialogs({ act, onAdded, onClose }: Props) {
  const { NewSubscription } = useSubscriptionParts()
  return (
    <Suspense>
      {act?.kind === 'add' ? <AddCustomerDialog onAdded={onAdded} onClose={onClose} /> : null}
      {act?.kind === 'edit' ? <EditCustomerDialog id={act.id} onClose={onClose} /> : null}
      {act?.kind === 'subscribe' ? <NewSubscription customerId={act.id} onClose={onClose} /> : null}
    </Suspense>
  )
}
