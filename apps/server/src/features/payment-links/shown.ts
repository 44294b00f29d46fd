import type { PaymentLink } from '@agency/contract/payment-links'
import type { RequestContext } from '../../context.ts'
import { hostedLink } from '../../integrations/stripe/hosted-links.ts'
import type { LinkRow } from './queries.ts'
import { isUsedUp } from './rules.ts'
import { factsOf, lineText, nameText, type Terms, termsText } from './words.ts'

type At = Pick<RequestContext, 'stripe'>

/** Whatever the provider says, only an address of the web is opened or copied. */
function urlOf({ stripe }: At, url: string | null): string | null {
  const isSafe = url !== null && URL.parse(url)?.protocol === 'https:'
  return isSafe ? hostedLink(url, stripe?.localOrigin ?? null) : null
}

const termsOf = ({ items, ...terms }: LinkRow): Terms => ({ ...terms, lines: items })

function stateOf(active: boolean, payments: PaymentLink['payments']): PaymentLink['state'] {
  if (isUsedUp(payments)) return 'used_up'
  return active ? 'active' : 'off'
}

export function toLink(at: At, row: LinkRow): PaymentLink {
  const { id, currency, items, completed_sessions: made, most_sessions: most } = row
  const payments = most === null ? null : { made, most }
  const named = items.map((item) => ({ ...item, name: item.name ?? item.price ?? 'Unknown' }))
  return {
    id,
    name: nameText(named.map(({ name }) => name)),
    terms: termsText(termsOf(row)),
    url: urlOf(at, row.url),
    state: stateOf(row.active, payments),
    currency,
    items: named.map((item) => ({
      ...{ price_id: item.price, name: item.name, quantity: item.quantity, terms: lineText(item, currency) },
      ...{ adjustable: item.adjustable, is_offered: item.is_offered },
    })),
    ...{ allow_promotion_codes: row.allow_promotion_codes, trial_days: row.trial_days, payments },
    fetched_at: row.fetched_at,
  }
}

export const factsOfLink = (row: LinkRow): string[] =>
  factsOf(termsOf(row), {
    ...{ asksForCard: row.asks_for_card, addsTax: row.adds_tax, addsShipping: row.adds_shipping },
  })
