import type { Docs, Kind } from '../stripe/types.ts'

export const refColumns = [
  'customer',
  'subscription',
  'invoice',
  'payment_intent',
  'charge',
  'product',
  'email',
  'tag',
] as const
export type RefColumn = (typeof refColumns)[number]
export type Refs = Partial<Record<RefColumn, string | null>>

type Loose = Record<string, unknown> & {
  parent?: { subscription_details?: { subscription?: string } | null } | null
  payment?: { payment_intent?: string; charge?: string }
}

const text = (value: unknown) => (typeof value === 'string' ? value : null)

/** The references that lists filter by; they are columns of the objects table. */
export function refsOf<K extends Kind>(kind: K, doc: Docs[K]): Required<Refs> {
  const loose = doc as unknown as Loose
  return {
    customer: text(loose['customer']),
    subscription: text(loose['subscription']) ?? text(loose.parent?.subscription_details?.subscription),
    invoice: text(loose['invoice']),
    payment_intent: text(loose['payment_intent']) ?? text(loose.payment?.payment_intent),
    charge: text(loose['charge']) ?? text(loose.payment?.charge),
    product: text(loose['product']),
    email: text(loose['email']),
    tag: kind === 'event' || kind === 'payment_method' ? text(loose['type']) : text(loose['status']),
  }
}

export const matches = (refs: Refs, where: Refs) =>
  refColumns.every((column) => where[column] === undefined || where[column] === refs[column])
