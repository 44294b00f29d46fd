import * as customers from '@agency/contract/descriptors/customers'
import { useState } from 'react'
import { nameOf } from '../../lib/names.ts'
import { useToast } from '../../ui/Toast.tsx'
import { CustomerFormDialog } from './CustomerFormDialog.tsx'
import { changesOf, emptyDraft } from './customer-draft.ts'
import { useSameEmail } from './use-same-email.ts'
import { useSaveCustomer } from './use-save-customer.ts'

type Props = { onAdded: (id: string) => void; onClose: () => void }

export function AddCustomerDialog({ onAdded, onClose }: Props) {
  const [draft, setDraft] = useState(emptyDraft)
  const sameEmail = useSameEmail(draft.email)
  const toast = useToast()
  const saving = useSaveCustomer(customers.createCustomer)
  const handleSave = () => {
    const { metadata, ...rest } = changesOf(draft) ?? {}
    saving.mutate(
      { body: { ...rest, metadata: metadata as Record<string, string> | undefined } },
      {
        onSuccess: ({ customer }) => {
          toast.success(`Added ${nameOf(customer)}`)
          onAdded(customer.id)
        },
      },
    )
  }
  return (
    <CustomerFormDialog
      title="Add Customer"
      submitLabel="Add Customer"
      anywayLabel="Add anyway"
      draft={draft}
      onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
      sameEmail={sameEmail}
      isEmailKept={false}
      saving={saving}
      onSave={handleSave}
      onClose={onClose}
    />
  )
}
