import { ProviderError } from './errors.ts'
import type { ObjectKind, ObjectPage } from './gateway.ts'

/** A listing that leads in a circle, or holds more than there can be: what it brought is not to be trusted. */
export class EndlessList extends ProviderError {
  override name = 'EndlessList'

  constructor(message: string) {
    super('bad_answer', message)
  }
}

/** Of a hundred objects each: ten times what a large agency could have. */
const mostPages: Partial<Record<ObjectKind, number>> = { product: 1000, price: 2000, coupon: 1000, payment_link: 1000 }
const mostPagesOfOthers = 100_000

/** How many pages of a kind an account can have. */
export const mostPagesOf = (kind: ObjectKind): number => mostPages[kind] ?? mostPagesOfOthers

/** As people say it: `invoice payments`. */
export const manyOf = (kind: ObjectKind): string => `${kind.replaceAll('_', ' ')}s`

type Listing = {
  what: string
  most: number
  /** Where an earlier walk had come to. */
  from?: string | undefined
}

/**
 * The pages of a list, one after the other, to its end. Throws `EndlessList` before it hands out a page that leads back to
 * where the walk was before, or one more than there can be.
 */
export async function* pagesOf(
  load: (startingAfter: string | undefined) => Promise<ObjectPage>,
  { what, most, from }: Listing,
): AsyncGenerator<ObjectPage, void, undefined> {
  const ends = new Set(from === undefined ? [] : [from])
  let after = from
  for (let count = 0; count < most; count++) {
    const page = await load(after)
    const { endId, hasMore } = page
    if (hasMore && (endId === null || ends.has(endId)))
      throw new EndlessList(`Stripe lists the same ${what} again and again instead of coming to an end`)
    yield page
    if (!hasMore || endId === null) return
    ends.add(endId)
    after = endId
  }
  throw new EndlessList(`Stripe lists more than ${most} pages of ${what}, which is more than there can be`)
}
