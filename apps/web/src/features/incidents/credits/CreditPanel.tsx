import * as slaCredits from '@agency/contract/descriptors/sla-credits'
import type { CreditLine, SlaCredit } from '@agency/contract/types'
import { formatMoney, formatPercent } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useDenial } from '../../../lib/session.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from '../incidents.module.css'
import { creditChips, downText, formulaText, nameOf } from './credit-words.ts'

/** What one customer is owed, and everything that it follows from. */
export function CreditPanel({ credit, onGive }: { credit: SlaCredit; onGive: () => void }) {
  const denial = useDenial(slaCredits.giveSlaCredit)
  const { currency, amount, state } = credit
  return (
    <Panel
      title={<bdi>{nameOf(credit)}</bdi>}
      actions={
        <span className={css['chips']}>
          <StatusChip {...creditChips[state]} />
          {state === 'proposed' && currency ? (
            <ReasonedButton
              variant="contained"
              size="small"
              aria-haspopup="dialog"
              aria-label={`Credit ${formatMoney(amount, currency)} to ${nameOf(credit)}`}
              blocked={denial}
              onClick={onGive}
            >
              {`Credit ${formatMoney(amount, currency)}`}
            </ReasonedButton>
          ) : null}
        </span>
      }
    >
      <p>
        {currency && amount > 0 ? (
          <strong>
            <Money amount={amount} currency={currency} />
          </strong>
        ) : null}
        {credit.reason ? <span className={css['muted']}> {credit.reason}</span> : null}
        {credit.given_at ? (
          <span className={css['muted']}>
            {' '}
            Credited <DateTime at={credit.given_at} /> by <bdi>{credit.given_by}</bdi>
          </span>
        ) : null}{' '}
        <a href={paths.customer(credit.customer_id)}>View customer</a>
      </p>
      {credit.lines.length > 0 ? <Evidence credit={credit} currency={currency ?? 'usd'} /> : null}
    </Panel>
  )
}

const heads = ['Plan', 'Month', 'Site', 'Down', 'Down before', 'Uptime', 'Promised', 'Formula', 'Amount']

function Evidence({ credit, currency }: { credit: SlaCredit; currency: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
    <section className={css['evidence']} tabIndex={0} aria-label={`Evidence for ${nameOf(credit)}`}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {credit.lines.map((line) => (
            <Line key={`${line.subscription_id} ${line.month}`} line={line} currency={currency} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Line({ line, currency }: { line: CreditLine; currency: string }) {
  return (
    <tr>
      <td>
        <bdi>{line.plan_name}</bdi>
      </td>
      <td>{line.month}</td>
      <td>
        <bdi>{line.site}</bdi>
      </td>
      <td>{downText(line.incident_down_seconds)}</td>
      <td>{downText(line.earlier_down_seconds)}</td>
      <td>{formatPercent(line.uptime_percent, 3)}</td>
      <td>{formatPercent(line.promised_percent, 3)}</td>
      <td>{formulaText(line, currency)}</td>
      <td>
        <Money amount={line.amount} currency={currency} />
      </td>
    </tr>
  )
}
