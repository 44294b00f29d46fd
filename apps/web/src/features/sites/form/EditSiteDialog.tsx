import * as sites from '@agency/contract/descriptors/sites'
import type { SiteDetails } from '@agency/contract/types'
import Alert from '@mui/material/Alert'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api.ts'
import { useCall } from '../../../lib/use-call.ts'
import { Button } from '../../../ui/Button.tsx'
import { DetailsDialog } from '../../../ui/DetailsDialog.tsx'
import { SectionError } from '../../../ui/SectionError.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { SiteFormDialog } from './SiteFormDialog.tsx'
import { changesOf, draftOf, rebase } from './site-draft.ts'

type Props = { id: string; onClose: () => void }

const title = 'Edit Site'

export function EditSiteDialog({ id, onClose }: Props) {
  const { data, error, refetch } = useQuery(q(sites.getSite, { params: { id } }))
  if (data) return <LoadedForm first={data.site} onClose={onClose} />
  return (
    <DetailsDialog title={title} onClose={onClose}>
      {error ? <SectionError error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={6} height={40} />}
    </DetailsDialog>
  )
}

/** Keeps the state that it was opened with: what comes in meanwhile must not change what somebody is typing over. */
function LoadedForm({ first, onClose }: { first: SiteDetails; onClose: () => void }) {
  const [version, setVersion] = useState(first.version)
  const [before, setBefore] = useState(() => draftOf(first))
  const [draft, setDraft] = useState(before)
  const client = useQueryClient()
  const toast = useToast()
  const save = useCall(sites.updateSite, [sites.listSites, sites.getSite])
  const isOutdated = save.error?.code === 'conflict' && save.error.parameter === 'version'

  const handleSave = () => {
    const changes = changesOf(draft, before)
    if (!changes) return onClose()
    save.mutate(
      { params: { id: first.id }, body: { version, ...changes } },
      {
        onSuccess: ({ site }) => {
          toast.success(`Saved ${site.site_name}`)
          onClose()
        },
      },
    )
  }
  const handleTakeOver = async () => {
    const query = q(sites.getSite, { params: { id: first.id } })
    const answer = await client.fetchQuery({ ...query, staleTime: 0 }).catch((error: Error) => {
      toast.error('The current state could not be loaded', error)
    })
    if (!answer) return
    const now = draftOf(answer.site)
    setVersion(answer.site.version)
    setBefore(now)
    setDraft(rebase(draft, before, now))
    save.reset()
  }
  return (
    <SiteFormDialog
      title={title}
      submitLabel="Save"
      draft={draft}
      onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
      saving={{ isPending: save.isPending, error: isOutdated ? null : save.error }}
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
          {save.error?.message} Load its current state: what you changed is kept.
        </Alert>
      ) : null}
    </SiteFormDialog>
  )
}
