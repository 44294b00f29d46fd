import * as sites from '@agency/contract/descriptors/sites'
import { useEditForm } from '../../../lib/form/use-edit-form.ts'
import { useCall } from '../../../lib/use-call.ts'
import { useToast } from '../../../ui/Toast.tsx'
import { siteReads } from '../status/site-dialog.ts'
import { SiteFormDialog } from './SiteFormDialog.tsx'
import { bodyOf, emptyFields, siteForm } from './site-fields.ts'

type Props = { domain?: string | undefined; onAdded: (id: string) => void; onClose: () => void }

export function AddSiteDialog({ domain = '', onAdded, onClose }: Props) {
  const toast = useToast()
  const create = useCall(sites.createSite, siteReads, { isOneIntent: true })
  const form = useEditForm({ ...siteForm, values: { ...emptyFields, domain }, call: create })
  return (
    <SiteFormDialog
      title="Add Site"
      submitLabel="Add Site"
      form={form}
      onSubmit={(values) =>
        create.mutate(
          { body: bodyOf(values) },
          {
            onSuccess: ({ site }) => {
              toast.success(`Added ${site.site_name}`)
              onAdded(site.id)
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}
