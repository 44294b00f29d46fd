import { idOf, integer } from '../../integrations/stripe/fields.ts'
import type { ObjectKind, ProviderObject, StripeGateway } from '../../integrations/stripe/gateway.ts'
import { pagesOf } from '../../integrations/stripe/pages.ts'
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

/** What changes together with an object although each has its own row. */
async function fetchRelated(stripe: StripeGateway, kind: ObjectKind, object: ProviderObject): Promise<Fetched[]> {
  switch (kind) {
    case 'refund':
    case 'dispute':
      return paymentOf(stripe, object)
    case 'invoice':
      return [{ kind: 'invoice_payment', objects: await listAll(stripe, 'invoice_payment', { invoice: object.id }) }]
    case 'charge': {
      const intent = idOf(object['payment_intent'])
      const payment = intent === null ? [] : one('payment', await stripe.findObject('payment', intent))
      if (integer(object['amount_refunded']) === 0) return payment
      return [...payment, { kind: 'refund', objects: await listAll(stripe, 'refund', { charge: object.id }) }]
    }
    default:
      return []
  }
}

/** The object as it is now, with what belongs to it; null when it is gone. */
export async function fetchObject(stripe: StripeGateway, { kind, id }: ObjectRef): Promise<Fetched[] | null> {
  const object = await stripe.findObject(kind, id)
  if (!object) return null
  return [...one(kind, object), ...(await fetchRelated(stripe, kind, object))]
}
