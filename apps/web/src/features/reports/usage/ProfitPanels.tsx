import type { ProfitTotals } from '@agency/contract/types'
import type { ComponentProps } from 'react'
import { formatMoney, formatMoneyShort } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { chartColors } from '../../../ui/chart/colors.ts'
import { WaterfallPanel } from '../../../ui/chart/WaterfallPanel.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Definitions } from '../Definitions.tsx'
import css from '../reports.module.css'

type Money = {
  profit: readonly ProfitTotals[] | null
  profit_reason: string | null
  hosting_reason: string | null
}
type DefinitionsOf = { definitions: ComponentProps<typeof Definitions>['definitions'] }

/** What hosting leaves, in each currency that Stripe settles in. */
export function ProfitPanels({
  money,
  failed,
  definitions,
}: DefinitionsOf & { money: Money | undefined; failed: boolean }) {
  if (!money) {
    return (
      <Panel title="Profit">
        {failed ? <EmptyState compact text="Profit could not be loaded." /> : <SkeletonLines count={6} />}
      </Panel>
    )
  }
  const { profit, profit_reason, hosting_reason } = money
  if (profit === null || profit.length === 0) {
    return (
      <Panel title="Profit">
        <EmptyState compact text={profit_reason ?? 'No Stripe transactions in this range.'} />
      </Panel>
    )
  }
  return (
    <div className={css['panels']}>
      {profit.map((totals) => (
        <Profit
          key={totals.currency}
          totals={totals}
          name={profit.length === 1 ? 'Profit' : `Profit in ${totals.currency.toUpperCase()}`}
          reason={hosting_reason}
          definitions={definitions}
        />
      ))}
    </div>
  )
}

type Props = DefinitionsOf & { totals: ProfitTotals; name: string; reason: string | null }

function Profit({ totals, name, reason, definitions }: Props) {
  const { currency, price, fees, refunds, hosting, margin, unassigned } = totals
  const format = (amount: number) => formatMoney(amount, currency)
  const none = unassigned.price - unassigned.fees - unassigned.refunds
  return (
    <WaterfallPanel
      title={name}
      format={format}
      short={(amount) => formatMoneyShort(amount, currency)}
      steps={[
        { id: 'price', label: 'Charged', kind: 'level', value: price, color: chartColors.main },
        { id: 'fees', label: 'Stripe fees', kind: 'change', value: -fees, color: chartColors.partLoss },
        { id: 'refunds', label: 'Refunds', kind: 'change', value: -refunds, color: chartColors.loss },
        ...(hosting === null
          ? [
              {
                ...{ id: 'net', label: 'Before hosting', kind: 'level' as const, color: chartColors.gain },
                value: price - fees - refunds,
              },
            ]
          : []),
        {
          ...{ id: 'hosting', label: 'Hosting', kind: 'change', color: chartColors.partLoss },
          value: hosting === null ? null : -hosting,
        },
        { id: 'margin', label: 'Margin', kind: 'level', value: margin, color: chartColors.gain },
      ]}
      foot={
        <p className={css['note']}>
          From Stripe’s balance transactions, in the settlement currency. {format(none)} belongs to no site.{' '}
          {hosting === null ? (
            <>
              Margin is unknown: {reason ?? 'the rates are in another currency'}.{' '}
              {reason ? <a href={paths.config}>System Config</a> : null}
            </>
          ) : null}
        </p>
      }
      footer={<Definitions of="Profit" definitions={definitions} />}
    />
  )
}
