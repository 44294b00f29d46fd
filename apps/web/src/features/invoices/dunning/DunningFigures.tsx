import * as dunning from '@agency/contract/descriptors/dunning'
import type { Dunning } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { q } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { paths } from '../../../lib/paths.ts'
import { Age } from '../../../ui/Age.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Hint } from '../../../ui/Hint.tsx'
import { Money } from '../../../ui/Money.tsx'
import { MoreCurrencies } from '../../../ui/MoreCurrencies.tsx'
import { StatCard } from '../../../ui/StatCard.tsx'
import css from '../invoices.module.css'

const invoicesText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'invoice' : 'invoices'}`

const recoveredRule =
  'Invoices paid this month after a failed try, by a retry, a charge from here, the payment link, or marked as paid.'

/** What failed payments are about. Asked for once the rows are there. */
export function DunningFigures({ isReady }: { isReady: boolean }) {
  const { data, isError } = useQuery({ ...q(dunning.getDunning, {}), enabled: isReady })
  const state = data ? 'ready' : isError ? 'unavailable' : 'loading'
  const shared = { state, asOf: data?.as_of } as const
  const age = data && isError ? <Age at={data.as_of} failed /> : null
  const by = data?.by_currency ?? []
  const sum = (field: 'retrying' | 'stopped' | 'recovered_invoices') =>
    by.reduce((total, each) => total + each[field], 0)
  const note = (content: (all: Dunning) => ReactNode) =>
    data ? (
      <>
        {age}
        {content(data)}
      </>
    ) : null
  return (
    <div className={css['cards']}>
      <StatCard
        {...shared}
        label="Money at Stake"
        tone={by.some(({ at_stake }) => at_stake > 0) ? 'error' : 'neutral'}
        value={<Sum by={by} field="at_stake" currency={data?.currency} />}
        note={note(({ currency }) => (
          <>
            <span>{invoicesText(sum('retrying') + sum('stopped'))}</span>
            <MoreCurrencies shown={currency} amounts={by.map((each) => ({ ...each, amount: each.at_stake }))} />
          </>
        ))}
      />
      <StatCard
        {...shared}
        label="Will Be Retried"
        href={`${paths.dunning}&state=retrying`}
        value={formatCount(sum('retrying'))}
        note={note(({ next_attempt_at: next }) =>
          next ? (
            <span>
              Next on <DateTime at={next} show="date-time" />
            </span>
          ) : (
            <span>No retry is scheduled</span>
          ),
        )}
      />
      <StatCard
        {...shared}
        label="No More Retries"
        href={`${paths.dunning}&state=stopped`}
        tone={sum('stopped') > 0 ? 'warning' : 'neutral'}
        value={formatCount(sum('stopped'))}
        note={note(() => <span>Stripe no longer tries to collect</span>)}
      />
      <StatCard
        {...shared}
        label="Recovered This Month"
        value={<Sum by={by} field="recovered" currency={data?.currency} />}
        note={note(({ currency, month_start }) => (
          <>
            <Hint content={`${recoveredRule} Since ${formatDate(month_start)}.`}>
              <span className={css['dotted']}>{invoicesText(sum('recovered_invoices'))}</span>
            </Hint>
            <MoreCurrencies shown={currency} amounts={by.map((each) => ({ ...each, amount: each.recovered }))} />
          </>
        ))}
      />
    </div>
  )
}

type SumProps = { by: Dunning['by_currency']; field: 'at_stake' | 'recovered'; currency: string | undefined }

/** That of the account's own currency; sums of different currencies are never added. */
function Sum({ by, field, currency = 'usd' }: SumProps) {
  const own = by.find((each) => each.currency === currency)
  return <Money amount={own?.[field] ?? 0} currency={currency} short={11} />
}
