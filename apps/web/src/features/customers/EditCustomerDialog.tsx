import * as customers from '@agency/contract/descriptors/customers'
import { q } from '../../lib/api.ts'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { nameOf } from '../../lib/names.ts'
import { EditDialog } from '../../ui/form/EditDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { CustomerFormDialog } from './CustomerFormDialog.tsx'
import { type CustomerFields, changesOf, customerForm, fieldsOf } from './customer-fields.ts'
import { useSaveCustomer } from './use-save-customer.ts'

type Props = { id: string; onClose: () => void }

const title = 'Edit Customer'

export function EditCustomerDialog({ id, onClose }: Props) {
  return (
    <EditDialog title={title} query={q(customers.getCustomerForm, { params: { id } })} onClose={onClose}>
      {({ form }, reload) => (
        <LoadedForm
          id={form.id}
          values={fieldsOf(form)}
          reload={async () => fieldsOf((await reload()).form)}
          onClose={onClose}
        />
      )}
    </EditDialog>
  )
}

type FormProps = Props & { values: CustomerFields; reload: () => Promise<CustomerFields> }

function LoadedForm({ id, values, reload, onClose }: FormProps) {
  const toast = useToast()
  const saving = useSaveCustomer(customers.updateCustomer)
  const form = useEditForm({ ...customerForm, values, call: saving, reload })
  const handleSave = (typed: CustomerFields, before: CustomerFields) => {
    const changes = changesOf(typed, before)
    if (!changes) return onClose()
    saving.mutate(
      { params: { id }, body: { version: before.version, ...changes } },
      {
        onSuccess: ({ customer }) => {
          toast.success(`Saved ${nameOf(customer)}`)
          onClose()
        },
      },
    )
  }
  return (
    <CustomerFormDialog
      title={title}
      submitLabel="Save"
      anywayLabel="Save anyway"
      form={form}
      id={id}
      saving={saving}
      onSave={handleSave}
      onClose={onClose}
    />
  )
}
