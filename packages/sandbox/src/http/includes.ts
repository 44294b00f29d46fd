import type { Reader } from '../store/reader.ts'
import type { CheckoutSession, Coupon, PaymentLink, Price } from '../stripe/types.ts'
import { presentItem } from '../world/present.ts'
import type { Entry } from '../world/world.ts'
import type { ShownKind } from './route.ts'
import { type Node, shownEntry } from './show.ts'

const idOf = (node: Node) => String(node['id'])
const listOf = (url: string, entries: Entry[]) => ({
  object: 'list',
  data: entries.slice(0, 10).map(shownEntry),
  has_more: entries.length > 10,
  url,
})

async function fromRows(
  nodes: Node[],
  key: string,
  source: { kind: 'refund' | 'invoice_payment' | 'subscription'; column: 'charge' | 'invoice' | 'customer' },
  url: (id: string) => string,
  read: Reader,
): Promise<void> {
  const rows = await read.by(source.kind, source.column, nodes.map(idOf))
  const live = rows.filter(
    ({ kind, doc }) => kind !== 'subscription' || (doc as { status: string }).status !== 'canceled',
  )
  for (const node of nodes) {
    const own = live.filter(({ doc }) => (doc as unknown as Node)[source.column] === node['id'])
    node[key] = listOf(url(idOf(node)), own)
  }
}

type Including = 'price' | 'coupon' | 'checkout.session' | 'payment_link'

async function fromDocs(nodes: Node[], kind: Including, key: string, read: Reader) {
  const entries = await read.many(kind, nodes.map(idOf))
  for (const node of nodes) {
    const doc = entries.get(idOf(node))?.doc as (Price | Coupon | CheckoutSession | PaymentLink) | undefined
    const part = doc && key in doc ? doc[key as keyof typeof doc] : undefined
    if (part === undefined) continue
    node[key] = key === 'line_items' ? firstLines(doc as CheckoutSession | PaymentLink) : part
  }
}

const embeddedLines = 10

function firstLines({ line_items: lines }: CheckoutSession | PaymentLink) {
  if (!lines) return undefined
  const data = lines.data.slice(0, embeddedLines).map(showSessionLine)
  return { ...lines, data, has_more: lines.data.length > embeddedLines }
}

export const showSessionLine = <T extends { price: Price | null }>(line: T) =>
  line.price ? { ...line, price: presentItem({ price: line.price, plan: {} }).price } : line

/** Adds the parts that Stripe leaves out until they are asked for. */
export async function includeParts(nodes: Node[], kind: ShownKind, key: string, read: Reader): Promise<void> {
  const empty = (path: string) => {
    for (const node of nodes) node[key] = listOf(`/v1/customers/${idOf(node)}/${path}`, [])
  }
  if (kind === 'charge') {
    const source = { kind: 'refund', column: 'charge' } as const
    await fromRows(nodes, key, source, (id) => `/v1/charges/${id}/refunds`, read)
  } else if (kind === 'invoice') {
    const source = { kind: 'invoice_payment', column: 'invoice' } as const
    await fromRows(nodes, key, source, (id) => `/v1/invoice_payments?invoice=${id}`, read)
  } else if (kind === 'customer' && key === 'subscriptions') {
    const source = { kind: 'subscription', column: 'customer' } as const
    await fromRows(nodes, key, source, (id) => `/v1/customers/${id}/subscriptions`, read)
  } else if (kind === 'customer' && key === 'tax') {
    for (const node of nodes) {
      node[key] = { automatic_tax: 'not_collecting', ip_address: null, location: null, provider: 'stripe' }
    }
  } else if (kind === 'customer') empty(key)
  else if (kind === 'price' || kind === 'coupon' || kind === 'checkout.session' || kind === 'payment_link') {
    await fromDocs(nodes, kind, key, read)
  }
}
