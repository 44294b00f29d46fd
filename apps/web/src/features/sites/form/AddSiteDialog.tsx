import * as sites from '@agency/contract/descriptors/sites'
import type { Site } from '@agency/contract/types'
import { useState } from 'react'
import { useCall } from '../../../lib/use-call.ts'
import { useToast } from '../../../ui/Toast.tsx'
import { siteReads } from '../status/site-dialog.ts'
import { SiteFormDialog } from './SiteFormDialog.tsx'
import { bodyOf, emptyDraft } from './site-draft.ts'

type Props = { onAdded: (id: string) => void; onClose: () => void }

export function AddSiteDialog({ onAdded, onClose }: Props) {
  const [draft, setDraft] = useState(emptyDraft)
  const toast = useToast()
  const create = useCall(sites.createSite, siteReads, { isOneIntent: true })
  const handleDone = (site: Pick<Site, 'id' | 'site_name'>) => {
    toast.success(`Added ${site.site_name}`)
    onAdded(site.id)
  }
  return (
    <SiteFormDialog
      title="Add Site"
      submitLabel="Add Site"
      draft={draft}
      onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
      saving={create}
      onSave={() => create.mutate({ body: bodyOf(draft) }, { onSuccess: ({ site }) => handleDone(site) })}
      onClose={onClose}
    />
  )
}
