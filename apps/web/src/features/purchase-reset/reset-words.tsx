import type { Money, PurchasedSite, PurchaseReset } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { formatMoney } from '../../lib/format.ts'
import { formatDate } from '../../lib/format-time.ts'
import css from './purchase-reset.module.css'

type Preview = { sites: readonly PurchasedSite[]; kept: readonly Money[] }

/** What a reset touches, and what it does not. */
export function resetConsequences({ sites, kept }: Preview): ReactNode[] {
  if (sites.length === 0) return []
  return [
    sites.length === 1 && sites[0] ? oneSite(sites[0]) : manySites(sites),
    moneyText(kept),
    'Nothing changes at Stripe or on the site.',
    'You can undo a reset for 30 days.',
  ]
}

function oneSite({ siteName, data }: PurchasedSite): ReactNode {
  const paid = data.amount === null ? '' : ` for ${formatMoney(data.amount, data.currency)}`
  return (
    <>
      <bdi className={css['strong']}>{siteName}</bdi>, purchased on {formatDate(data.timestamp)}
      {paid}, is no longer marked as purchased.
    </>
  )
}

function manySites(sites: readonly PurchasedSite[]): ReactNode {
  return (
    <>
      {sites.length} sites are no longer marked as purchased:
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do */}
      <ul className={css['chosen']} tabIndex={0} aria-label="Sites to reset">
        {sites.map(({ id, siteName }) => (
          <li key={id}>
            <bdi>{siteName}</bdi>
          </li>
        ))}
      </ul>
    </>
  )
}

function moneyText(kept: readonly Money[]): string {
  if (kept.length === 0) return 'No money moves.'
  const amounts = kept.map(({ amount, currency }) => formatMoney(amount, currency))
  return `No money moves: ${amounts.join(' and ')} stays paid.`
}

export function undoConsequences({ siteName, timestamp, adminInfo }: PurchaseReset): ReactNode[] {
  return [
    <>
      <bdi className={css['strong']}>{siteName}</bdi> is marked as purchased again.
    </>,
    <>
      The history shows the reset of {formatDate(timestamp)} by <bdi>{adminInfo.name}</bdi> and the undo.
    </>,
    'No money moves.',
  ]
}
