import type { PaymentLinkPreview } from '@agency/contract/payment-links'
import type { RequestContext } from '../../../context.ts'
import { findPrice } from '../queries.ts'
import { checkTerms, type LinkTerms, termsOf } from '../rules.ts'
import { dueNow, factsOf, termsText } from '../words.ts'

/** What whoever opens such a link would pay: the provider has no preview of it. */
export async function previewLink(ctx: RequestContext, wanted: LinkTerms): Promise<PaymentLinkPreview> {
  const price = checkTerms(await findPrice(ctx.db, wanted.price), wanted)
  const terms = termsOf(price, wanted)
  return {
    ...{ name: price.plan_name, terms: termsText(terms), due_now: dueNow(terms), currency: price.currency },
    facts: factsOf(terms, { asksForCard: true }),
  }
}
