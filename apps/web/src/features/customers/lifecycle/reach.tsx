import type { LifecyclePreview, Money } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { formatCount, formatMoney, formatMoneyIfKnown } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'

const changes: Record<string, [one: string, many: string]> = {
  paused: ['Collection of 1 subscription is paused', 'Collection of {n} subscriptions is paused'],
  resumed: ['Collection of 1 subscription is resumed', 'Collection of {n} subscriptions is resumed'],
  cancelled: ['1 live subscription ends at once', '{n} live subscriptions end at once'],
  unchanged: ['1 subscription stays as it is', '{n} subscriptions stay as they are'],
}

const moneyList = (sums: readonly Money[]): string =>
  sums.map(({ amount, currency }) => formatMoney(amount, currency)).join(', ')

function Subscriptions({ preview, change }: { preview: LifecyclePreview; change: string }) {
  const rows = preview.subscriptions.filter((subscription) => subscription.change === change)
  const [one = '', many = ''] = changes[change] ?? []
  return (
    <>
      {rows.length === 1 ? one : many.replace('{n}', formatCount(rows.length))}:{' '}
      {rows.map(({ id, plan_name, mrr, currency, note }, index) => (
        <span key={id}>
          {index > 0 ? '; ' : null}
          <bdi>{plan_name}</bdi> ({formatMoneyIfKnown(mrr, currency)} a month{note ? `, ${lower(note)}` : ''})
        </span>
      ))}
    </>
  )
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function invoicesLine({ open_invoices: { count, amounts, note } }: LifecyclePreview): string {
  if (count === 0) return 'No open invoices'
  const what = count === 1 ? '1 open invoice' : `${formatCount(count)} open invoices`
  return `${what} (${moneyList(amounts)})${note ? `: ${lower(note)}` : ''}`
}

function undoLine({ undo }: LifecyclePreview): string {
  return undo.until === null ? undo.text : `${undo.text} (until ${formatDate(undo.until)})`
}

/** What an act would reach, line by line. */
export function reachOf(preview: LifecyclePreview): ReactNode[] {
  const touched = Object.keys(changes).filter((change) => preview.subscriptions.some((row) => row.change === change))
  const lines: ReactNode[] = touched.map((change) => <Subscriptions key={change} preview={preview} change={change} />)
  if (preview.subscriptions.length === 0) lines.push('No live subscriptions')
  if (preview.mrr_change.length > 0) lines.push(`Monthly recurring revenue changes by ${moneyList(preview.mrr_change)}`)
  lines.push(invoicesLine(preview))
  lines.push(preview.sites.note)
  for (const mail of preview.mails)
    lines.push(
      <>
        Mail to <bdi>{mail.to}</bdi>: “{mail.subject}”
      </>,
    )
  return [...lines, ...preview.warnings, undoLine(preview)]
}
