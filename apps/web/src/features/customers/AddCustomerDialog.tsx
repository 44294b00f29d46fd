import * as customers from '@agency/contract/descriptors/customers'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { nameOf } from '../../lib/names.ts'
import { useToast } from '../../ui/Toast.tsx'
import { CustomerFormDialog } from './CustomerFormDialog.tsx'
import { type CustomerFields, changesOf, customerForm, emptyFields } from './customer-fields.ts'
import { useSaveCustomer } from './use-save-customer.ts'

type Props = { onAdded: (id: string) => void; onClose: () => void }

export function AddCustomerDialog({ onAdded, onClose }: Props) {
  const toast = useToast()
  const saving = useSaveCustomer(customers.createCustomer)
  const form = useEditForm({ ...customerForm, values: emptyFields, call: saving })
  const handleSave = (values: CustomerFields) => {
    const { metadata, ...rest } = changesOf(values) ?? {}
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
      form={form}
      saving={saving}
      onSave={handleSave}
      onClose={onClose}
    />
  )
}
