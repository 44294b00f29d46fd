import * as sites from '@agency/contract/descriptors/sites'
import type { Site } from '@agency/contract/types'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { call, q } from '../../../lib/api.ts'
import { BulkDialog } from '../../../ui/bulk/BulkDialog.tsx'
import type { Plan } from '../../../ui/bulk/BulkRow.tsx'
import type { BulkDialogProps } from '../../../ui/bulk/bulk-act.ts'
import { reachOf } from './Reach.tsx'
import { ReasonField } from './ReasonField.tsx'
import { siteReads, suspensionText } from './site-dialog.ts'

const unit = ['site', 'sites'] as const
const nameOf = (site: Site) => site.site_name

/** What would happen to each, as the server tells it now. */
function useReach(rows: readonly Site[], isFor: (site: Site) => boolean, otherwise: string) {
  const [shown] = useState(rows)
  const answers = useQueries({
    queries: shown.map(({ id }) => ({ ...q(sites.previewSiteSuspension, { params: { id } }), staleTime: 0 })),
  })
  const plans = new Map(
    shown.map((site, index): [string, Plan | undefined] => {
      if (!isFor(site)) return [site.id, { blocked: otherwise }]
      const { data, error } = answers[index] ?? {}
      if (error) return [site.id, { blocked: 'The preview could not be loaded' }]
      const preview = data?.preview
      return [site.id, preview && { lines: reachOf(preview), blocked: preview.blocked ?? undefined }]
    }),
  )
  return (site: Site) => plans.get(site.id)
}

export function BulkSuspendDialog(props: BulkDialogProps<Site>) {
  const [reason, setReason] = useState('')
  const planOf = useReach(props.rows, ({ status }) => status !== 'suspended', 'Already suspended')
  return (
    <BulkDialog
      {...props}
      {...{ unit, nameOf, planOf, stale: siteReads }}
      verb="Suspend"
      destructive
      blockedReason={reason.trim() === '' ? 'Enter a reason' : undefined}
      send={({ id }, idempotencyKey) =>
        call(sites.suspendSite, { params: { id }, body: { reason: reason.trim() } }, { idempotencyKey }).then(
          ({ site }) => suspensionText(site),
        )
      }
    >
      {(isLocked) => <ReasonField value={reason} disabled={isLocked} onChange={setReason} />}
    </BulkDialog>
  )
}

export function BulkResumeDialog(props: BulkDialogProps<Site>) {
  const planOf = useReach(props.rows, ({ status }) => status === 'suspended', 'Not suspended')
  return (
    <BulkDialog
      {...props}
      {...{ unit, nameOf, planOf, stale: siteReads }}
      verb="Resume"
      send={({ id }, idempotencyKey) =>
        call(sites.resumeSite, { params: { id } }, { idempotencyKey }).then(({ site }) => suspensionText(site))
      }
    />
  )
}
