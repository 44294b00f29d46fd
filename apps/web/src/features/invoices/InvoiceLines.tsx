import { formatMoneyIfKnown } from '../../lib/format.ts'
import css from './invoices.module.css'

type Line = { description: string | null; quantity: number | null; amount: number | null }
type Props = {
  lines: readonly Line[]
  currency: string
  /** What stands below the lines: `['Total', 4000]`. */
  totals: readonly (readonly [string, number | null])[]
  /** There are more lines than these. */
  more?: boolean
}

/** What an invoice says, line by line. */
export function InvoiceLines({ lines, currency, totals, more = false }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className={css['scroll']} aria-label="Lines" tabIndex={0}>
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col">Description</th>
            <th scope="col" className={css['right']}>
              Quantity
            </th>
            <th scope="col" className={css['right']}>
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
            <tr key={index}>
              <td>
                <bdi>{line.description ?? 'No description'}</bdi>
              </td>
              <td className={css['right']}>{line.quantity ?? '–'}</td>
              <td className={css['right']}>{formatMoneyIfKnown(line.amount, currency)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {totals.map(([name, amount]) => (
            <tr key={name}>
              <th scope="row" colSpan={2}>
                {name}
              </th>
              <td className={css['right']}>{formatMoneyIfKnown(amount, currency)}</td>
            </tr>
          ))}
        </tfoot>
      </table>
      {more ? <p className={css['muted']}>More lines on the Stripe page of this invoice.</p> : null}
    </section>
  )
}
