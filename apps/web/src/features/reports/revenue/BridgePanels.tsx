import type { Bridge, MovementKind } from '@agency/contract/types'
import type { ComponentProps } from 'react'
import { useNavigate } from 'react-router'
import { formatMonth } from '../../../lib/format-time.ts'
import { BarPanel } from '../../../ui/chart/BarPanel.tsx'
import { WaterfallPanel } from '../../../ui/chart/WaterfallPanel.tsx'
import { Money } from '../../../ui/Money.tsx'
import { StatCard } from '../../../ui/StatCard.tsx'
import { Definitions } from '../Definitions.tsx'
import type { RowsHref } from '../figure-links.ts'
import css from '../reports.module.css'
import { moneyIn } from '../scales.ts'
import { bridgeSeries, bridgeSteps, hasMoved } from './bridge-steps.ts'

type Props = {
  bridge: Bridge
  isOnly: boolean
  hrefOf: RowsHref
  definitions: ComponentProps<typeof Definitions>['definitions']
}

const monthTick = (month: string): string => `${Number(month.slice(5))}/${month.slice(2, 4)}`

/** How MRR came from the start of the range to its end, per currency. */
export function BridgePanels({ bridge, isOnly, hrefOf, definitions }: Props) {
  const navigate = useNavigate()
  const { currency, months, now } = bridge
  const scale = moneyIn(currency)
  const name = (title: string) => (isOnly ? title : `${title} (${currency.toUpperCase()})`)
  const isReconstructed = months.some(({ reconstructed }) => reconstructed)
  const monthHref = (month: string, kind: string) => hrefOf(kind as MovementKind, currency, { month })
  return (
    <>
      <div className={css['figures']}>
        <Now label={name('MRR')} amount={now.mrr} currency={currency} href={hrefOf('mrr', currency)} note="now" />
        <Now
          label={name('Committed MRR')}
          amount={now.committed}
          currency={currency}
          href={hrefOf('committed', currency)}
          note="without scheduled cancellations"
        />
        <Now
          label={name('Past-due MRR')}
          amount={now.past_due}
          currency={currency}
          href={hrefOf('past_due', currency)}
          note="part of MRR"
        />
      </div>
      <div className={css['panels']}>
        <WaterfallPanel
          title={name('MRR bridge')}
          steps={bridgeSteps(bridge, (kind) => hrefOf(kind, currency))}
          format={scale.format}
          short={scale.short}
          foot={
            isReconstructed ? (
              <p className={css['note']}>Partly reconstructed from invoices (before the first import).</p>
            ) : null
          }
          footer={
            <Definitions
              of="MRR"
              definitions={definitions}
              figures={['mrr', 'movements', 'reconstructed', 'committed', 'past_due']}
            />
          }
        />
        <BarPanel
          title={name('MRR movements by month')}
          first="Month"
          slots={months.map(({ month }) => month)}
          series={bridgeSeries(bridge)}
          empty={hasMoved(bridge) ? undefined : 'MRR did not change in this range.'}
          stacked
          scale={scale}
          tickOf={monthTick}
          nameOf={formatMonth}
          hrefOf={(month, { id }) => monthHref(month, id)}
          onSelect={(month, { id }) => void navigate(monthHref(month, id))}
        />
      </div>
    </>
  )
}

type NowProps = { label: string; amount: number; currency: string; href: string; note: string }

const Now = ({ label, amount, currency, href, note }: NowProps) => (
  <StatCard label={label} value={<Money amount={amount} currency={currency} />} href={href} note={note} />
)
