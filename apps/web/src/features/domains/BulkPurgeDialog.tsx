import * as domains from '@agency/contract/descriptors/domains'
import type { Domain } from '@agency/contract/types'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { call, q } from '../../lib/api.ts'
import { BulkDialog } from '../../ui/bulk/BulkDialog.tsx'
import type { Plan } from '../../ui/bulk/BulkRow.tsx'
import type { BulkDialogProps } from '../../ui/bulk/bulk-act.ts'
import { purgeReach } from './purge-reach.ts'

/** Purges everything that Cloudflare keeps of several domains. */
export function BulkPurgeDialog(props: BulkDialogProps<Domain>) {
  const [rows] = useState(props.rows)
  const answers = useQueries({ queries: rows.map(({ id }) => q(domains.previewPurge, { params: { id } })) })
  const plans = new Map(
    rows.map(({ id }, index): [string, Plan | undefined] => {
      const { data, error } = answers[index] ?? {}
      return [id, error ? { lines: ['The affected site could not be loaded'] } : data && { lines: purgeReach(data) }]
    }),
  )
  return (
    <BulkDialog
      {...props}
      verb="Purge everything of"
      unit={['domain', 'domains']}
      nameOf={({ name }) => name}
      planOf={({ id }) => plans.get(id)}
      stale={[domains.previewPurge]}
      send={({ id, name }, idempotencyKey) =>
        call(domains.purgeCache, { params: { id }, body: { everything: true } }, { idempotencyKey }).then(
          () => `Purged the cache of ${name}`,
        )
      }
    />
  )
}
