import type { Store } from '../../store/store.ts'
import type { Customer, Invoice, PortalSession, Subscription } from '../types.ts'
import { escaped, style } from './invoice-page.ts'
import { amountText } from './invoice-words.ts'

type Docs = Pick<Store, 'pool' | 'schema'>

const shownInvoices = 10

async function find<T>({ pool, schema }: Docs, where: string, value: string): Promise<T[]> {
  const sql = `select doc from ${schema}.objects where ${where} and not deleted order by created desc, ord desc`
  const { rows } = await pool.query<{ doc: T }>(sql, [value])
  return rows.map(({ doc }) => doc)
}

const dayText = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

const planOf = ({ items, currency, status }: Subscription): string => {
  const [item] = items.data
  const each = item?.price.unit_amount ?? 0
  const amount = amountText(each * (item?.quantity ?? 1), currency)
  return `<li>${escaped(item?.price.nickname ?? item?.price.id ?? 'Subscription')}: ${escaped(amount)}, ${escaped(status)}</li>`
}

const invoiceOf = (invoice: Invoice): string =>
  `<tr><td><a href="/i/${encodeURIComponent(invoice.id)}">${escaped(invoice.number ?? invoice.id)}</a></td>
<td>${dayText(invoice.created)}</td><td>${escaped(amountText(invoice.total, invoice.currency))}</td></tr>`

function htmlOf(
  session: PortalSession,
  customer: Customer,
  subscriptions: Subscription[],
  invoices: Invoice[],
): string {
  const name = escaped(customer.name ?? customer.email ?? customer.id)
  const back = session.return_url
    ? `<p><a href="${escaped(session.return_url)}" rel="noreferrer">Return to the console</a></p>`
    : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Billing portal</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${style}</style></head>
<body><main><h1>Billing portal</h1><p>${name}</p>${back}
<h2>Subscriptions</h2><ul>${subscriptions.map(planOf).join('') || '<li>None</li>'}</ul>
<h2>Invoices</h2><table><thead><tr><th scope="col">Invoice</th><th scope="col">Date</th><th scope="col">Total</th></tr></thead>
<tbody>${invoices.map(invoiceOf).join('')}</tbody></table>
<p><small>A page of the sandbox: nothing can be changed here.</small></p></main></body></html>`
}

/** Where the address of a portal session leads. As at the provider, whoever has it is let in. */
export async function portalPage(docs: Docs, path: string): Promise<{ type: string; body: Buffer } | undefined> {
  if (!/^\/p\/session\/test_\w+$/.test(path)) return undefined
  const [session] = await find<PortalSession>(
    docs,
    `kind = 'portal_session' and doc->>'url' = $1`,
    `https://billing.stripe.com${path}`,
  )
  if (!session) return undefined
  const of = (kind: string) => `kind = '${kind}' and customer = $1`
  const [customer] = await find<Customer>(docs, `kind = 'customer' and id = $1`, session.customer)
  if (!customer) return undefined
  const subscriptions = await find<Subscription>(docs, of('subscription'), session.customer)
  const invoices = await find<Invoice>(docs, of('invoice'), session.customer)
  const sent = invoices.filter(({ status }) => status !== 'draft').slice(0, shownInvoices)
  return { type: 'text/html; charset=utf-8', body: Buffer.from(htmlOf(session, customer, subscriptions, sent), 'utf8') }
}
