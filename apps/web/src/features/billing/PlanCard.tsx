import type { Plan } from '@agency/contract/types'
import { lazy, Suspense } from 'react'
import { formatCount, formatMoney } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { sentence } from '../../lib/payment-methods.ts'
import { Hint } from '../../ui/Hint.tsx'
import { Money } from '../../ui/Money.tsx'
import { MoreCurrencies } from '../../ui/MoreCurrencies.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './billing.module.css'
import { type PriceFigure as Figure, pricesOf } from './plan-prices.ts'

type Price = Plan['prices'][number]

const PromiseFact = lazy(() => import('./promises/PromiseFact.tsx').then((m) => ({ default: m.PromiseFact })))

export function PlanCard({ plan, currency }: { plan: Plan; currency: string }) {
  const own = plan.by_currency.find((each) => each.currency === currency)
  const { byCurrency, others } = pricesOf(plan)
  return (
    <article className={css['plan']}>
      <header className={css['planHead']}>
        <h2 title={plan.name}>
          <bdi>{plan.name}</bdi>
        </h2>
        {plan.tier ? <StatusChip tone="info" label={sentence(plan.tier)} /> : null}
        {plan.active ? null : <StatusChip tone="neutral" label="Archived" />}
      </header>
      {plan.description ? (
        <p className={css['muted']}>
          <bdi>{plan.description}</bdi>
        </p>
      ) : null}
      <ul className={css['prices']} aria-label={`Prices of ${plan.name}`}>
        {byCurrency.map(({ currency: code, monthly, yearly }) => (
          <li key={code} className={css['price']}>
            <PriceFigure label="Monthly" figure={monthly} currency={code} />
            <PriceFigure label="Yearly" figure={yearly} currency={code} />
          </li>
        ))}
        {others.map((price) => (
          <li key={price.id} className={css['muted']}>
            {price.amount === null ? pricedBy(price) : formatMoney(price.amount, price.currency)} {perPeriod(price)}
          </li>
        ))}
        {plan.prices.length === 0 ? <li className={css['muted']}>No price</li> : null}
      </ul>
      <dl className={css['planFacts']}>
        <div>
          <dt>Active</dt>
          <dd>
            <a href={`${paths.subscriptions}?plan=${encodeURIComponent(plan.id)}`}>{formatCount(plan.active_count)}</a>
          </dd>
        </div>
        <div>
          <dt>Revenue</dt>
          <dd>
            <Money amount={own?.revenue ?? 0} currency={currency} short={11} />
            <More plan={plan} currency={currency} field="revenue" />
          </dd>
        </div>
        <div>
          <dt>MRR</dt>
          <dd>
            <Money amount={own?.mrr ?? 0} currency={currency} short={11} />
            <More plan={plan} currency={currency} field="mrr" />
          </dd>
        </div>
        <Suspense>
          <PromiseFact planId={plan.id} />
        </Suspense>
      </dl>
    </article>
  )
}

function More({ plan, currency, field }: { plan: Plan; currency: string; field: 'revenue' | 'mrr' }) {
  const amounts = plan.by_currency.map((each) => ({ amount: each[field], currency: each.currency }))
  return (
    <small className={css['muted']}>
      <MoreCurrencies shown={currency} amounts={amounts} />
    </small>
  )
}

type FigureProps = { label: string; figure: Figure; currency: string }

function PriceFigure({ label, figure: { amount, derived }, currency }: FigureProps) {
  const text = formatMoney(amount, currency)
  return (
    <span className={css['figure']}>
      <small className={css['muted']}>{label}</small>
      {derived ? (
        <Hint content={`Computed from the actual price. Nobody is billed ${text}.`}>
          <span className={css['derived']}>≈ {text}</span>
        </Hint>
      ) : (
        <strong>{text}</strong>
      )}
    </span>
  )
}

function perPeriod({ interval, interval_count }: Price): string {
  if (interval === null || interval_count === null) return 'per unknown period'
  return interval_count > 1 ? `every ${interval_count} ${interval}s` : `per ${interval}`
}

function pricedBy({ billing_scheme, usage_type }: Price): string {
  if (usage_type === 'metered') return 'Priced by usage'
  return billing_scheme === 'tiered' ? 'Tiered price' : 'Price set per customer'
}
