import * as domains from '@agency/contract/descriptors/domains'
import type { Domain } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { q, type ResponseOf } from '../../lib/api.ts'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { PurgeInputs } from './PurgeInputs.tsx'
import { type PurgeTargets, purgeBody, purgeLabel, purgeProblem } from './purge-targets.ts'

type Preview = ResponseOf<typeof domains.previewPurge>
type Props = { domain: Pick<Domain, 'id' | 'name'>; onClose: () => void }

export function PurgeDialog({ domain, onClose }: Props) {
  const toast = useToast()
  const preview = useQuery(q(domains.previewPurge, { params: { id: domain.id } }))
  const purge = useCall(domains.purgeCache, [domains.previewPurge], { isOneIntent: true })
  const form = useEditForm<PurgeTargets>({ values: { kind: 'everything', lines: '' }, call: purge })
  const targets = useWatch({ control: form.control }) as PurgeTargets
  const handleDone = () => {
    toast.success(`Cache of ${domain.name} purged`)
    onClose()
  }
  return (
    <ConfirmDialog
      title="Purge cache"
      consequences={consequencesOf(domain.name, targets, preview.data, preview.isError)}
      confirmLabel={purgeLabel(targets)}
      pending={purge.isPending}
      blockedReason={purgeProblem(targets, domain.name)}
      error={purge.error}
      onConfirm={() =>
        form.submit((chosen) =>
          purge.mutate({ params: { id: domain.id }, body: purgeBody(chosen) }, { onSuccess: handleDone }),
        )
      }
      onClose={onClose}
    >
      <PurgeInputs form={form} hosts={preview.data?.hosts ?? []} />
    </ConfirmDialog>
  )
}

const whatGoes: Record<PurgeTargets['kind'], string> = {
  everything: 'Cloudflare throws away everything that it keeps',
  hosts: 'Cloudflare throws away what it keeps of these hosts',
  files: 'Cloudflare throws away what it keeps of these addresses',
}

function consequencesOf(
  name: string,
  { kind }: PurgeTargets,
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
