import { lazy, Suspense } from 'react'
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
  return (
    <Suspense>
      {act?.kind === 'add' ? <AddCustomerDialog onAdded={onAdded} onClose={onClose} /> : null}
      {act?.kind === 'edit' ? <EditCustomerDialog id={act.id} onClose={onClose} /> : null}
    </Suspense>
  )
}
