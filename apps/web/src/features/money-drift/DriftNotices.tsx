import type * as moneyDrift from '@agency/contract/descriptors/money-drift'
import type { ResponseOf } from '../../lib/api.ts'
import { Age } from '../../ui/Age.tsx'
import css from './drift.module.css'
import { classLabels } from './drift-words.ts'

/** It is compared every five minutes. */
export const oldAfterMs = 12 * 60_000

type Answer = ResponseOf<typeof moneyDrift.listMoneyDrift>

/** What the list cannot vouch for: a comparison that failed, and classes without a source. */
export function DriftNotices({ answer: { problem, compared_at: at, unjudged } }: { answer: Answer }) {
  const byReason = new Map<string, string[]>()
  for (const { class: kind, reason } of unjudged)
    byReason.set(reason, [...(byReason.get(reason) ?? []), classLabels[kind]])
  return (
    <>
      {problem === null ? null : (
        <p role="status" className={css['unjudged']}>
          {problem}.{' '}
          {at === null ? null : (
            <>
              Last result: <Age at={at} failed />.
            </>
          )}
        </p>
      )}
      {[...byReason].map(([reason, labels]) => (
        <p key={reason} className={css['unjudged']}>
          {reason}. Not compared: {labels.join('; ')}.
        </p>
      ))}
    </>
  )
}
