import * as statusPages from '@agency/contract/descriptors/status-pages'
import type { StatusPage } from '@agency/contract/types'
import { q } from '../../../lib/api.ts'
import { useEditForm } from '../../../lib/form/use-edit-form.ts'
import { useCall } from '../../../lib/use-call.ts'
import { EditDialog } from '../../../ui/form/EditDialog.tsx'
import { EditFormDialog } from '../../../ui/form/EditFormDialog.tsx'
import { SwitchInput } from '../../../ui/form/SwitchInput.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { bodyOf, fieldsOf, ownerOf, type PageFields, problemsOf } from './page-fields.ts'
import { ShownSites } from './ShownSites.tsx'

const onePage = (id: string) => q(statusPages.getStatusPage, { params: { id } })

export function StatusPageDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <EditDialog title="Status page" query={onePage(id)} onClose={onClose}>
      {({ page }, reload) => (
        <Loaded page={page} reload={async () => fieldsOf((await reload()).page)} onClose={onClose} />
      )}
    </EditDialog>
  )
}

type LoadedProps = { page: StatusPage; reload: () => Promise<PageFields>; onClose: () => void }

function Loaded({ page, reload, onClose }: LoadedProps) {
  const toast = useToast()
  const isAgency = page.id === 'agency'
  const save = useCall(statusPages.saveStatusPage, [statusPages.listStatusPages, statusPages.getStatusPage])
  const form = useEditForm<PageFields>({
    values: fieldsOf(page),
    problemsOf: (typed) => problemsOf(typed, isAgency),
    call: save,
    fields: { is_on: 'isOn' },
    reload,
  })
  const handleSubmit = (typed: PageFields, before: PageFields) => {
    save.mutate(
      { params: { id: page.id }, body: bodyOf(typed, page.id, before) },
      {
        onSuccess: ({ page: saved }) => {
          toast.success(`Status page of ${ownerOf(saved)}: ${saved.is_on ? 'on' : 'off'}`)
          onClose()
        },
      },
    )
  }
  return (
    <EditFormDialog
      title={`Status page of ${ownerOf(page)}`}
      intro="Shows labels, states and public updates, never customer or site names."
      submitLabel="Save page"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <SwitchInput form={form} name="isOn" label="On" help="Anyone with the address can see the page" />
      <TextInput form={form} name="title" label="Title on the page" />
      {isAgency ? null : <TextInput form={form} name="slug" label="Address" help="Below /status/" />}
      <ShownSites form={form} customerId={isAgency ? null : page.id} />
    </EditFormDialog>
  )
}
