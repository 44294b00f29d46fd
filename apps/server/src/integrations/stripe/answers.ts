import { ProviderError } from './errors.ts'
import type { ObjectPage, ProviderObject } from './gateway.ts'
import { EndlessList } from './pages.ts'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isRecord(value))
    return typeof value['object'] === 'string' ? value['object'].slice(0, 40) : 'an object of no kind'
  return value === null ? 'nothing' : typeof value
}

/** `name` is the provider's word for the kind, such as `payment_intent`. */
export function checkObject(value: unknown, name: string): ProviderObject {
  if (isRecord(value) && value['object'] === name && typeof value['id'] === 'string' && value['id'] !== '') {
    return value as ProviderObject
  }
  throw new ProviderError('bad_answer', `Stripe answered ${describe(value)} instead of ${name}`)
}

/** `cursor` is where this page was asked to start: a page that leads back to it would never end. */
export function checkPage(value: unknown, name: string, cursor: string | undefined): ObjectPage {
  if (!isRecord(value) || !Array.isArray(value['data'])) {
    throw new ProviderError(
      'bad_answer',
      `Stripe answered ${describe(value)} without data instead of a list of ${name}`,
    )
  }
  const objects = value['data'].map((item) => checkObject(item, name))
  const hasMore = value['has_more'] === true
  const endId = objects.at(-1)?.id ?? null
  if (hasMore && endId === null)
    throw new ProviderError('bad_answer', `Stripe answered a list of ${name} that leads nowhere`)
  if (hasMore && endId === cursor) throw new EndlessList(`Stripe answered a list of ${name} that leads nowhere`)
  return { objects, hasMore, endId }
}
