import { sites } from '@agency/contract/descriptors'
import { useState } from 'react'
import { useToast } from '../../../ui/Toast.tsx'
import { useSiteAct } from '../status/use-site-act.ts'
import { SiteFormDialog } from './SiteFormDialog.tsx'
import { bodyOf, emptyDraft } from './site-draft.ts'

type Props = { onAdded: (id: string) => void; onClose: () => void }

export function AddSiteDialog({ onAdded, onClose }: Props) {
  const [draft, setDraft] = useState(emptyDraft)
  const toast = useToast()
  const create = useSiteAct(sites.createSite, ({ site }) => {
    toast.success(`Added ${site.site_name}`)
    onAdded(site.id)
  })
  return (
    <SiteFormDialog
      title="Add Site"
      submitLabel="Add Site"
      draft={draft}
      onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
      saving={create}
      onSave={() => create.run({ body: bodyOf(draft) })}
      onClose={onClose}
    />
  )
}
