import type { Deferred, GrossToNet, RevenueFigure, Settlement } from '@agency/contract/types'
import type { ComponentProps } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { chartColors } from '../../../ui/chart/colors.ts'
import { WaterfallPanel } from '../../../ui/chart/WaterfallPanel.tsx'
import type { BridgeStep } from '../../../ui/chart/waterfall.ts'
import { Definitions } from '../Definitions.tsx'
import type { RowsHref } from '../figure-links.ts'
import css from '../reports.module.css'
import { moneyIn } from '../scales.ts'

type Props = {
  gross: readonly GrossToNet[]
  settlements: readonly Settlement[]
  deferred: readonly Deferred[]
  hrefOf: RowsHref
  definitions: ComponentProps<typeof Definitions>['definitions']
}

const { main, gain, loss, partLoss } = chartColors

/** From what was charged to what is left of it, what Stripe settled, and what is still to be served. */
export function NetPanels({ gross, settlements, deferred, hrefOf, definitions }: Props) {
  const titled = (title: string, all: readonly unknown[], currency: string) =>
    all.length === 1 ? title : `${title} (${currency.toUpperCase()})`
  return (
    <div className={css['panels']}>
      {gross.map((each) => (
        <WaterfallPanel
          key={`gross ${each.currency}`}
          title={titled('Gross to net', gross, each.currency)}
          {...moneyIn(each.currency)}
          steps={grossSteps(each, (figure) => hrefOf(figure, each.currency))}
          foot={
            <p className={css['note']}>
              Gross includes <a href={hrefOf('tax', each.currency)}>{moneyIn(each.currency).format(each.tax)}</a> tax.
              {each.net.amount === null && each.net.reason !== null ? ` Net is unknown: ${each.net.reason}` : null}
            </p>
          }
          footer={
            <Definitions of="Gross to net" definitions={definitions} figures={['total_revenue', 'fees', 'net']} />
          }
        />
      ))}
      {settlements.map((each) => (
        <WaterfallPanel
          key={`settled ${each.currency}`}
          title={titled('Settled by Stripe', settlements, each.currency)}
          {...moneyIn(each.currency)}
          steps={settlementSteps(each, (figure) => hrefOf(figure, each.currency))}
          foot={
            each.converted > 0 ? (
              <p className={css['note']}>{formatCount(each.converted)} transactions converted, each at its own rate.</p>
            ) : null
          }
          footer={<Definitions of="Settled by Stripe" definitions={definitions} figures={['fees']} />}
        />
      ))}
      {deferred.map((each) => (
        <WaterfallPanel
          key={`deferred ${each.currency}`}
          title={titled('Deferred revenue', deferred, each.currency)}
          {...moneyIn(each.currency)}
          steps={deferredSteps(each, (figure) => hrefOf(figure, each.currency))}
          footer={<Definitions of="Deferred revenue" definitions={definitions} figures={['deferred']} />}
        />
      ))}
    </div>
  )
}

type HrefOf = (figure: RevenueFigure) => string

const level = (id: string, label: string, value: number | null, color: string, href?: string): BridgeStep => ({
  ...{ id, label, kind: 'level', value, color, href },
})
const change = (id: string, label: string, value: number | null, color: string, href?: string): BridgeStep => ({
  ...{ id, label, kind: 'change', value, color, href },
})

const grossSteps = ({ gross, refunds, disputes, revenue, fees, net }: GrossToNet, hrefOf: HrefOf): BridgeStep[] => [
  level('gross', 'Gross', gross, main, hrefOf('gross')),
  change('refunds', 'Refunds', -refunds, loss, hrefOf('refunds')),
  change('disputes', 'Lost disputes', -disputes, loss, hrefOf('disputes')),
  level('revenue', 'Revenue', revenue, main, hrefOf('revenue')),
  change('fees', 'Stripe fees', fees.amount === null ? null : -fees.amount, partLoss, hrefOf('fees')),
  level('net', 'Net', net.amount, gain, hrefOf('net')),
]

const settlementSteps = (
  { charges, refunds, disputes, other, fees, net }: Settlement,
  hrefOf: HrefOf,
): BridgeStep[] => [
  level('charges', 'Charges', charges, main, hrefOf('settled_charges')),
  change('refunds', 'Refunds', -refunds, loss, hrefOf('settled_refunds')),
  change('disputes', 'Disputes', -disputes, loss, hrefOf('settled_disputes')),
  change('other', 'Other', other, partLoss, hrefOf('settled_other')),
  change('fees', 'Stripe fees', -fees, partLoss, hrefOf('fees')),
  level('net', 'Net', net, gain, hrefOf('settled_net')),
]

const deferredSteps = ({ start, added, recognized, end }: Deferred, hrefOf: HrefOf): BridgeStep[] => [
  level('start', 'Start', start, main, hrefOf('deferred_start')),
  change('added', 'Paid ahead', added, gain, hrefOf('deferred_added')),
  change('recognized', 'Recognized', -recognized, partLoss, hrefOf('deferred_recognized')),
  level('end', 'End', end, main, hrefOf('deferred')),
]
