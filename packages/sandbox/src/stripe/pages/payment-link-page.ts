import type { Store } from '../../store/store.ts'
import type { PaymentLink, SessionLine } from '../types.ts'
import { escaped, style } from './invoice-page.ts'
import { amountText } from './invoice-words.ts'

const periodOf = ({ price }: SessionLine): string => {
  if (!price?.recurring) return ''
  const { interval, interval_count: every } = price.recurring
  return every === 1 ? ` per ${interval}` : ` every ${every} ${interval}s`
}

const rowOf = (line: SessionLine): string =>
  `<tr><td>${escaped(line.description ?? '')}</td><td>${line.quantity ?? ''}</td>
<td>${escaped(amountText(line.amount_total, line.currency) + periodOf(line))}</td></tr>`

function factsOf({ subscription_data, allow_promotion_codes, line_items }: PaymentLink): string[] {
  const days = subscription_data?.trial_period_days
  return [
    ...(days ? [`Free for ${days} ${days === 1 ? 'day' : 'days'}`] : []),
    ...(allow_promotion_codes ? ['Promotion codes are accepted'] : []),
    ...(line_items?.data.some((line) => line.adjustable_quantity) ? ['The quantity can be changed'] : []),
  ]
}

const whole = (title: string, inner: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${style}</style></head>
<body><main><h1>${title}</h1>${inner}</main></body></html>`

function htmlOf(link: PaymentLink): string {
  if (!link.active) return whole('Link deactivated', '<p>This link is no longer active.</p>')
  const rows = (link.line_items?.data ?? []).map(rowOf).join('')
  const facts = factsOf(link).map((fact) => `<li>${fact}</li>`)
  return whole(
    'Checkout',
    `<table><thead><tr><th scope="col">Item</th><th scope="col">Quantity</th><th scope="col">Amount</th></tr></thead>
<tbody>${rows}</tbody></table><ul>${facts.join('')}</ul>
<p><small>A page of the sandbox: nothing can be paid here.</small></p>`,
  )
}

/** Where the address of a payment link leads, for everybody who has it. */
export async function paymentLinkPage(
  { pool, schema }: Pick<Store, 'pool' | 'schema'>,
  path: string,
): Promise<{ type: string; body: Buffer } | undefined> {
  if (!/^\/test_\w+$/.test(path)) return undefined
  const { rows } = await pool.query<{ doc: PaymentLink }>(
    `select doc from ${schema}.objects where kind = 'payment_link' and doc->>'url' = $1 and not deleted`,
    [`https://buy.stripe.com${path}`],
  )
  const link = rows[0]?.doc
  return link && { type: 'text/html; charset=utf-8', body: Buffer.from(htmlOf(link), 'utf8') }
}
