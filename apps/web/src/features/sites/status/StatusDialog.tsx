import * as sites from '@agency/contract/descriptors/sites'
import type { Site } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api.ts'
import { formatDateTime } from '../../../lib/format-time.ts'
import { siteStatusChips } from '../../../lib/site-status.ts'
import { useCall } from '../../../lib/use-call.ts'
import { useNow } from '../../../lib/use-now.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { SectionError } from '../../../ui/SectionError.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { unread } from '../../../ui/unread-preview.ts'
import { ReasonField } from './ReasonField.tsx'
import { type SiteDialogProps, siteReads } from './site-dialog.ts'

const byHand = ['pending', 'active', 'maintenance'] as const
type ByHand = (typeof byHand)[number]

const hourMs = 3_600_000
const spans: Readonly<Record<string, { label: string; ms: number | null }>> = {
  ever: { label: 'Until it changes again', ms: null },
  hour: { label: 'For 1 hour', ms: hourMs },
  hours: { label: 'For 4 hours', ms: 4 * hourMs },
  day: { label: 'For 1 day', ms: 24 * hourMs },
  week: { label: 'For 7 days', ms: 7 * 24 * hourMs },
}

export function StatusDialog({ site, onClose }: SiteDialogProps) {
  const details = useQuery(q(sites.getSite, { params: { id: site.id } }))
  const [chosen, setChosen] = useState<ByHand>()
  const [span, setSpan] = useState('ever')
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const now = useNow()
  const toast = useToast()
  const act = useCall(sites.setSiteStatus, siteReads, { isOneIntent: true })
  const handleDone = (changed: Pick<Site, 'status'>) => {
    toast.success(`${site.site_name} is ${siteStatusChips[changed.status].label.toLowerCase()}`)
    onClose()
  }
  const known = details.data?.site
  const choices = byHand.filter((status) => known?.next_statuses.includes(status))
  const status = chosen ?? choices[0]
  const ms = spans[span]?.ms ?? null
  const problem = problemOf(status, reason)

  const handleSubmit = () => {
    setTried(true)
    if (problem || !status) return
    const until = ms === null ? null : new Date(Date.now() + ms).toISOString()
    act.mutate(
      { params: { id: site.id }, body: { status, reason: reason.trim(), until } },
      { onSuccess: (answer) => handleDone(answer.site) },
    )
  }
  return (
    <FormDialog
      title={`Change Status: ${site.site_name}`}
      intro="The status normally changes automatically. A manual status stays until the next change."
      submitLabel="Change status"
      pending={act.isPending}
      error={act.error ?? (tried && problem ? { message: problem } : null)}
      blocked={known ? undefined : unread('The site', details.error)}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {details.error && !known ? (
        <SectionError error={details.error} onRetry={() => void details.refetch()} />
      ) : known ? (
        <>
          <SelectField
            label="Status"
            value={status ?? ''}
            choices={choices.map((value) => ({ value, label: siteStatusChips[value].label }))}
            help={nowText(known)}
            disabled={act.isPending}
            onChange={(value) => setChosen(value as ByHand)}
          />
          <ReasonField value={reason} disabled={act.isPending} onChange={setReason} />
          <SelectField
            label="How long"
            value={span}
            choices={Object.entries(spans).map(([value, { label }]) => ({ value, label }))}
            help={ms === null ? undefined : `Until ${formatDateTime(now + ms)}`}
            disabled={act.isPending}
            onChange={setSpan}
          />
        </>
      ) : (
        <SkeletonLines count={3} />
      )}
    </FormDialog>
  )
}

function problemOf(status: ByHand | undefined, reason: string): string | undefined {
  if (!status) return 'Cannot be changed now'
  return reason.trim() === '' ? 'Enter a reason' : undefined
}

const nowText = ({ status }: Pick<Site, 'status'>): string => `Now it is ${siteStatusChips[status].label.toLowerCase()}`
