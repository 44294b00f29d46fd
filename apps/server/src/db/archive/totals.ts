import type { ClientBase } from 'pg'
import type { ArchiveTotal } from './frames.ts'

/** By what each sum is kept apart, and what is added up. Amounts of different kinds stay apart too. */
const sums: readonly { what: string; table: string; by: string; amounts: Record<string, string> }[] = [
  {
    what: 'payments',
    table: 'payments',
    by: `status || ' ' || currency`,
    amounts: {
      amount: 'amount',
      captured: 'amount_captured',
      refunded: 'amount_refunded',
      lost: 'amount_lost',
      net: 'net_amount',
    },
  },
  { what: 'refunds', table: 'refunds', by: `status || ' ' || currency`, amounts: { amount: 'amount' } },
  {
    what: 'invoices',
    table: 'invoices',
    by: `status || ' ' || currency`,
    amounts: { due: 'amount_due', paid: 'amount_paid', remaining: 'amount_remaining' },
  },
  { what: 'subscriptions', table: 'subscriptions', by: `status || ' ' || currency`, amounts: { mrr: 'mrr' } },
  { what: 'disputes', table: 'disputes', by: `status || ' ' || currency`, amounts: { amount: 'amount' } },
  {
    what: 'money actions',
    table: 'money_actions',
    by: `kind || ' ' || state || coalesce(' ' || currency, '')`,
    amounts: { amount: 'amount' },
  },
]

const statement = sums
  .map(({ what, table, by, amounts }) => {
    const names = Object.keys(amounts).map((name) => `'${what} ${name}'`)
    const added = Object.values(amounts).map((column) => `trim_scale(coalesce(sum(${column}), 0)::numeric)::text`)
    return `select x.what, s.key, s.rows, x.amount
      from (select ${by} as key, count(*) as rows, array[${added.join(', ')}] as amounts from ${table} group by 1) s,
        unnest(array[${names.join(', ')}], s.amounts) as x (what, amount)`
  })
  .join(' union all ')

/** What the rows make of the money, by kind, state and currency. The tables are found by the search path. */
export async function readTotals(client: ClientBase): Promise<ArchiveTotal[]> {
  const { rows } = await client.query<{ what: string; key: string; rows: string; amount: string }>(
    `select what, key, rows::text, amount from (${statement}) t order by what, key`,
  )
  return rows.map((row) => ({ ...row, rows: Number(row.rows) }))
}

/** Each total that one side has otherwise than the other, in words. */
export function compareTotals(expected: readonly ArchiveTotal[], found: readonly ArchiveTotal[]): string[] {
  const name = ({ what, key }: ArchiveTotal) => `${what} ${key}`
  const say = (total: ArchiveTotal | undefined) => (total ? `${total.amount} in ${total.rows} rows` : 'nothing')
  const [before, now] = [expected, found].map((totals) => new Map(totals.map((total) => [name(total), total])))
  const names = new Set([...(before?.keys() ?? []), ...(now?.keys() ?? [])])
  return [...names].flatMap((one) => {
    const [was, is] = [say(before?.get(one)), say(now?.get(one))]
    return was === is ? [] : [`${one}: ${is} instead of ${was}`]
  })
}
