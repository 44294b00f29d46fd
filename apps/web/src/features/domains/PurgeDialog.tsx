import * as domains from '@agency/contract/descriptors/domains'
import type { Domain } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { q, type ResponseOf } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { PurgeFields } from './PurgeFields.tsx'
import { type PurgeDraft, purgeBody, purgeLabel, purgeProblem } from './purge-draft.ts'

type Preview = ResponseOf<typeof domains.previewPurge>
type Props = { domain: Pick<Domain, 'id' | 'name'>; onClose: () => void }

export function PurgeDialog({ domain, onClose }: Props) {
  const toast = useToast()
  const [draft, setDraft] = useState<PurgeDraft>({ kind: 'everything', lines: '' })
  const preview = useQuery(q(domains.previewPurge, { params: { id: domain.id } }))
  const purge = useCall(domains.purgeCache, [domains.previewPurge], { isOneIntent: true })
  const handleDone = () => {
    toast.success(`Cache of ${domain.name} purged`)
    onClose()
  }
  return (
    <ConfirmDialog
      title="Purge cache"
      consequences={consequencesOf(domain.name, draft, preview.data, preview.isError)}
      confirmLabel={purgeLabel(draft)}
      pending={purge.isPending}
      blockedReason={purgeProblem(draft, domain.name)}
      error={purge.error}
      onConfirm={() => purge.mutate({ params: { id: domain.id }, body: purgeBody(draft) }, { onSuccess: handleDone })}
      onClose={onClose}
    >
      <PurgeFields
        draft={draft}
        hosts={preview.data?.hosts ?? []}
        disabled={purge.isPending}
        onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
      />
    </ConfirmDialog>
  )
}

const whatGoes: Record<PurgeDraft['kind'], string> = {
  everything: 'Cloudflare throws away everything that it keeps',
  hosts: 'Cloudflare throws away what it keeps of these hosts',
  files: 'Cloudflare throws away what it keeps of these addresses',
}

function consequencesOf(
  name: string,
  { kind }: PurgeDraft,
  preview: Preview | undefined,
  failed: boolean,
): ReactNode[] {
  const lines: ReactNode[] = [
    `${whatGoes[kind]} of ${name}, in all of its data centres`,
    'Visitors get it from the site itself until it is kept again: it is slower for a while, and the site has more to do',
  ]
  if (failed) return [...lines, 'Which site this touches could not be loaded']
  if (!preview) return lines
  const { site, customer, last } = preview
  lines.push(
    site
      ? `It touches the site ${site.site_name}${customer?.name ? ` of ${customer.name}` : ''}`
      : 'No site of the console is under this domain',
  )
  if (last) lines.push(`Last purged ${formatDateTime(last.at)} by ${last.by}: ${last.what}`)
  return lines
}
