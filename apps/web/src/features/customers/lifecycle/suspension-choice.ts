import type * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import type { BillingChoice, SuspensionReason } from '@agency/contract/types'
import { useState } from 'react'
import type { Input } from '../../../lib/api.ts'

export type SuspensionChoice = { reason: SuspensionReason; note: string; billing: BillingChoice; notice: boolean }

type Body = Input<typeof customerLifecycle.suspendCustomer>['body']
type Query = NonNullable<Input<typeof customerLifecycle.previewSuspension>['query']>

export function useSuspensionChoice() {
  const [choice, setChoice] = useState<SuspensionChoice>({
    ...{ reason: 'non_payment', note: '', billing: 'keep', notice: false },
  })
  const { reason, note, billing, notice } = choice
  const body: Body = { reason, note: note.trim() || null, billing, notice }
  const query: Query = { reason, billing, notice: notice ? 'true' : 'false' }
  const isIncomplete = reason === 'other' && note.trim() === ''
  return { choice, setChoice, body, query, blocked: isIncomplete ? 'Enter a note' : undefined }
}
