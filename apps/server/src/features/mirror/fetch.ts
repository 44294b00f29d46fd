import { isForbidden } from '../../integrations/stripe/errors.ts'
import { idOf, integer, items } from '../../integrations/stripe/fields.ts'
import type { ObjectKind, ProviderObject, StripeGateway } from '../../integrations/stripe/gateway.ts'
import { pagesOf } from '../../integrations/stripe/pages.ts'
import { isOptional } from './objects.ts'
import type { ObjectRef } from './queries/events.ts'

export type Fetched = { kind: ObjectKind; objects: ProviderObject[] }

const one = (kind: ObjectKind, object: ProviderObject | null): Fetched[] =>
  object ? [{ kind, objects: [object] }] : []

const mostPages = 50

async function listAll(
  stripe: StripeGateway,
  kind: ObjectKind,
  query: { invoice?: string; charge?: string },
): Promise<ProviderObject[]> {
  const load = (startingAfter: string | undefined) =>
    stripe.listObjects(kind, { ...query, ...(startingAfter && { startingAfter }) })
  const objects: ProviderObject[] = []
  const what = kind === 'refund' ? 'refunds of one charge' : 'payments of one invoice'
  for await (const page of pagesOf(load, { what, most: mostPages })) objects.push(...page.objects)
  return objects
}

const paymentOf = async (stripe: StripeGateway, object: ProviderObject): Promise<Fetched[]> => {
  const id = idOf(object['payment_intent']) ?? idOf(object['charge'])
  return id === null ? [] : one('payment', await stripe.findObject('payment', id))
}

/**
 * What the balance moved by, which no event is about. A key without the right to read it must not stop what the event is about.
 */
async function balanceOf(stripe: StripeGateway, ...ids: (string | null)[]): Promise<Fetched[]> {
  const fetched: Fetched[] = []
  for (const id of ids) {
    if (id === null) continue
    try {
      fetched.push(...one('balance_transaction', await stripe.findObject('balance_transaction', id)))
    } catch (error) {
      if (!isForbidden(error)) throw error
    }
  }
  return fetched
}

/** What changes together with an object although each has its own row. */
async function fetchRelated(stripe: StripeGateway, kind: ObjectKind, object: ProviderObject): Promise<Fetched[]> {
  switch (kind) {
    case 'refund':
      return [
        ...(await paymentOf(stripe, object)),
        ...(await balanceOf(stripe, idOf(object['balance_transaction']), idOf(object['failure_balance_transaction']))),
      ]
    case 'dispute':
      return [
        ...(await paymentOf(stripe, object)),
        ...(await balanceOf(stripe, ...items(object['balance_transactions']).map(idOf))),
      ]
    case 'invoice':
      return [{ kind: 'invoice_payment', objects: await listAll(stripe, 'invoice_payment', { invoice: object.id }) }]
    case 'charge': {
      const intent = idOf(object['payment_intent'])
      const payment = intent === null ? [] : one('payment', await stripe.findObject('payment', intent))
      const found = [
        ...payment,
        ...(await balanceOf(stripe, idOf(object['balance_transaction']), idOf(object['failure_balance_transaction']))),
      ]
      if (integer(object['amount_refunded']) === 0) return found
      return [...found, { kind: 'refund', objects: await listAll(stripe, 'refund', { charge: object.id }) }]
    }
    default:
      return []
  }
}

/** The object as it is now, with what belongs to it; null when it is gone. Nothing of what the key need not read and may not. */
export async function fetchObject(stripe: StripeGateway, { kind, id }: ObjectRef): Promise<Fetched[] | null> {
  try {
    const object = await stripe.findObject(kind, id)
    if (!object) return null
    return [...one(kind, object), ...(await fetchRelated(stripe, kind, object))]
  } catch (error) {
    if (isOptional(kind) && isForbidden(error)) return []
    throw error
  }
}
