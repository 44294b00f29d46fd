import * as customers from '@agency/contract/descriptors/customers'
import type { CustomerForm } from '@agency/contract/types'
import Alert from '@mui/material/Alert'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import { nameOf } from '../../lib/names.ts'
import { Button } from '../../ui/Button.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { CustomerFormDialog } from './CustomerFormDialog.tsx'
import { changesOf, draftOf, rebase } from './customer-draft.ts'
import { useSameEmail } from './use-same-email.ts'
import { useSaveCustomer } from './use-save-customer.ts'

type Props = { id: string; onClose: () => void }

const title = 'Edit Customer'

export function EditCustomerDialog({ id, onClose }: Props) {
  const { data, error, refetch } = useQuery(q(customers.getCustomerForm, { params: { id } }))
  if (data) return <LoadedForm first={data.form} onClose={onClose} />
  return (
    <DetailsDialog title={title} onClose={onClose}>
      {error ? <SectionError error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={6} height={40} />}
    </DetailsDialog>
  )
}

/** Keeps the state that it was opened with: what comes in meanwhile must not change what somebody is typing over. */
function LoadedForm({ first, onClose }: { first: CustomerForm; onClose: () => void }) {
  const [form, setForm] = useState(first)
  const [before, setBefore] = useState(() => draftOf(first))
  const [draft, setDraft] = useState(before)
  const sameEmail = useSameEmail(draft.email, first.id)
  const client = useQueryClient()
  const toast = useToast()
  const saving = useSaveCustomer(customers.updateCustomer)
  const isOutdated = saving.error?.code === 'conflict' && saving.error.parameter === 'version'

  const handleSave = () => {
    const changes = changesOf(draft, before)
    if (!changes) return onClose()
    saving.mutate(
      { params: { id: form.id }, body: { version: form.version, ...changes } },
      {
        onSuccess: ({ customer }) => {
          toast.success(`Saved ${nameOf(customer)}`)
          onClose()
        },
      },
    )
  }
  const handleTakeOver = async () => {
    const query = q(customers.getCustomerForm, { params: { id: form.id } })
    const answer = await client.fetchQuery({ ...query, staleTime: 0 }).catch((error: Error) => {
      toast.error('The current state could not be loaded', error)
    })
    if (!answer) return
    const now = draftOf(answer.form)
    setForm(answer.form)
    setBefore(now)
    setDraft(rebase(draft, before, now))
    saving.reset()
  }
  return (
    <CustomerFormDialog
      title={title}
      submitLabel="Save"
      anywayLabel="Save anyway"
      draft={draft}
      onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
      sameEmail={sameEmail}
      isEmailKept={draft.email.trim().toLowerCase() === before.email.trim().toLowerCase()}
      saving={isOutdated ? { ...saving, error: null } : saving}
      onSave={handleSave}
      onClose={onClose}
    >
      {isOutdated ? (
        <Alert
          severity="warning"
          role="alert"
          action={
            <Button color="inherit" size="small" onClick={() => void handleTakeOver()}>
              Load current state
            </Button>
          }
        >
          {saving.error?.message} Load its current state: what you changed is kept.
        </Alert>
      ) : null}
    </CustomerFormDialog>
  )
}
