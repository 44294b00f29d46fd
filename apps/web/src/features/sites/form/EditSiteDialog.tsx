import * as sites from '@agency/contract/descriptors/sites'
import type { SiteDetails } from '@agency/contract/types'
import { q } from '../../../lib/api.ts'
import { differences } from '../../../lib/form/differences.ts'
import { useEditForm } from '../../../lib/form/use-edit-form.ts'
import { useCall } from '../../../lib/use-call.ts'
import { EditDialog } from '../../../ui/form/EditDialog.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { SiteFormDialog } from './SiteFormDialog.tsx'
import { bodyOf, fieldsOf, type SiteFields, siteForm } from './site-fields.ts'

type Props = { id: string; onClose: () => void }

const title = 'Edit Site'

export function EditSiteDialog({ id, onClose }: Props) {
  return (
    <EditDialog title={title} query={q(sites.getSite, { params: { id } })} onClose={onClose}>
      {({ site }, reload) => (
        <LoadedForm site={site} reload={async () => fieldsOf((await reload()).site)} onClose={onClose} />
      )}
    </EditDialog>
  )
}

type FormProps = { site: SiteDetails; reload: () => Promise<SiteFields>; onClose: () => void }

function LoadedForm({ site, reload, onClose }: FormProps) {
  const toast = useToast()
  const save = useCall(sites.updateSite, [sites.listSites, sites.getSite])
  const form = useEditForm({ ...siteForm, values: fieldsOf(site), call: save, reload })
  const handleSave = (values: SiteFields, before: SiteFields) => {
    const changes = differences(bodyOf(values), bodyOf(before))
    if (!changes) return onClose()
    save.mutate(
      { params: { id: site.id }, body: { version: before.version, ...changes } },
      {
        onSuccess: (answer) => {
          toast.success(`Saved ${answer.site.site_name}`)
          onClose()
        },
      },
    )
  }
  return <SiteFormDialog title={title} submitLabel="Save" form={form} onSubmit={handleSave} onClose={onClose} />
}
