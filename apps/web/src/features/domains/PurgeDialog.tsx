import * as domains from '@agency/contract/descriptors/domains'
import type { Domain } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { q, type ResponseOf } from '../../lib/api.ts'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { PurgeInputs } from './PurgeInputs.tsx'
import { purgeReach } from './purge-reach.ts'
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
    toast.success(`Purged the cache of ${domain.name}`)
    onClose()
  }
  return (
    <ConfirmDialog
      title="Purge cache"
      consequences={consequencesOf(domain.name, targets, preview.data, preview.isError)}
      awaited={preview.isLoading ? 1 : 0}
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

const whatGoes: Record<PurgeTargets['kind'], (domain: string) => string> = {
  everything: (domain) => `Deletes all cached files of ${domain}`,
  hosts: () => 'Deletes the cached files of these hostnames',
  files: () => 'Deletes the cached files at these URLs',
}

function consequencesOf(
  name: string,
  { kind }: PurgeTargets,
  preview: Preview | undefined,
  failed: boolean,
): ReactNode[] {
  const lines: ReactNode[] = [
    `${whatGoes[kind](name)} in every data center`,
    'Pages load slower until they are cached again',
  ]
  if (failed) return [...lines, 'The affected site could not be loaded']
  if (!preview) return lines
  return [...lines, ...purgeReach(preview)]
}
