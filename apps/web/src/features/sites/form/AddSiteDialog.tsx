import { sites } from '@agency/contract/descriptors'
import { useState } from 'react'
import { useAct } from '../../../lib/use-act.ts'
import { useToast } from '../../../ui/Toast.tsx'
import { siteReads } from '../status/site-dialog.ts'
import { SiteFormDialog } from './SiteFormDialog.tsx'
import { bodyOf, emptyDraft } from './site-draft.ts'

type Props = { onAdded: (id: string) => void; onClose: () => void }

export function AddSiteDialog({ onAdded, onClose }: Props) {
  const [draft, setDraft] = useState(emptyDraft)
  const toast = useToast()
  const create = useAct(sites.createSite, siteReads, ({ site }) => {
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
