import type { Stats } from '@agency/contract/types'
import { formatCount, formatMoney } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { Age } from '../../ui/Age.tsx'
import { Delta } from '../../ui/Delta.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { Money } from '../../ui/Money.tsx'
import { MoreCurrencies } from '../../ui/MoreCurrencies.tsx'
import { StatCard } from '../../ui/StatCard.tsx'
import css from './billing.module.css'

type Props = {
  /** undefined while they load, and where nothing is known. */
  stats: Stats | undefined
  failed: boolean
}

const flow = 'last 30 days vs the 30 before'
const level = 'vs 30 days ago'
const mrrRule =
  'Monthly revenue of active and past due subscriptions. Yearly prices ÷ 12, minus permanent discounts. Without trials, one-off and usage charges, and tax. Subscriptions set to end count until their end.'

export function SummaryCards({ stats, failed }: Props) {
  const state = stats ? 'ready' : failed ? 'unavailable' : 'loading'
  const shared = { state, asOf: stats?.as_of } as const
  const stale = stats && failed ? <Age at={stats.as_of} failed /> : null
  const money = (amount: number) => formatMoney(amount, stats?.currency ?? 'usd')
  const by = stats?.by_currency ?? []
  return (
    <div className={css['cards']}>
      <StatCard
        {...shared}
        label="Total Revenue"
        href={paths.revenueReport}
        value={stats ? <Money amount={stats.total_revenue} currency={stats.currency} short={11} /> : formatCount(0)}
        note={
          stats ? (
            <>
              {stale}
              <Delta {...stats.trends.revenue} period={flow} format={money} />
              <MoreCurrencies
                shown={stats.currency}
                amounts={by.map((each) => ({ amount: each.total_revenue, currency: each.currency }))}
              />
            </>
          ) : null
        }
      />
      <StatCard
        {...shared}
        label="Monthly Recurring Revenue"
        value={stats ? <Money amount={stats.mrr} currency={stats.currency} short={11} /> : formatCount(0)}
        note={
          stats ? (
            <>
              {stale}
              <Delta {...stats.trends.mrr} period={level} format={money} />
              <MoreCurrencies
                shown={stats.currency}
                amounts={by.map((each) => ({ amount: each.mrr, currency: each.currency }))}
              />
              {stats.unpriced_subscriptions > 0 ? (
                <span>{formatCount(stats.unpriced_subscriptions)} with unknown price not counted</span>
              ) : null}
              <Hint content={mrrRule}>
                <span className={css['dotted']}>How MRR is counted</span>
              </Hint>
            </>
          ) : null
        }
      />
      <StatCard
        {...shared}
        label="Active Subscriptions"
        href={`${paths.subscriptions}?status=active`}
        value={formatCount(stats?.active_subscriptions ?? 0)}
        note={
          stats ? (
            <>
              {stale}
              <Delta {...stats.trends.subscriptions} period={level} format={formatCount} />
            </>
          ) : null
        }
      />
      <StatCard
        {...shared}
        label="Failed Payments"
        href={`${paths.payments}?status=failed`}
        tone={stats && stats.failed_payments > 0 ? 'error' : 'neutral'}
        value={formatCount(stats?.failed_payments ?? 0)}
        note={
          stats ? (
            <>
              {stale}
              <Delta {...stats.trends.failed_payments} period={flow} format={formatCount} lessIsBetter />
            </>
          ) : null
        }
      />
    </div>
  )
}
