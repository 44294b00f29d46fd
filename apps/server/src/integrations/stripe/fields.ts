import { ProviderError } from './errors.ts'

/** Tolerant readers: what the provider left out, renamed or filled oddly is null, and never a value of our own. */
export type Fields = Readonly<Record<string, unknown>>

const none: Fields = Object.freeze({})

export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : none

/** The data of an embedded list, or a plain array. */
export function items(value: unknown): Fields[] {
  const list = Array.isArray(value) ? value : fields(value)['data']
  return Array.isArray(list) ? list.map(fields) : []
}

export const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
export const flag = (value: unknown): boolean => value === true
const boolean = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)
export const integer = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

/** The id of a reference, whether it was expanded or not. */
export const idOf = (value: unknown): string | null => text(value) ?? text(fields(value)['id'])

const maxSeconds = 8_640_000_000_000

/** Unix seconds → ISO 8601. */
export function instant(value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > maxSeconds) return null
  return new Date(value * 1000).toISOString()
}

/** An object without what it cannot be shown without: it is kept apart instead of being shown with an invented value. */
export class UnreadableObject extends ProviderError {
  override name = 'UnreadableObject'
  /** As people say it: `its amount`. */
  readonly missing: string

  constructor(missing: string) {
    super('bad_answer', `Stripe sent an object without ${missing}`)
    this.missing = missing
  }
}

export function needed<T>(value: T | null, missing: string): T {
  if (value === null) throw new UnreadableObject(missing)
  return value
}

export const neededAmount = (object: Fields, name = 'amount'): number =>
  needed(integer(object[name]), `its ${name.replaceAll('_', ' ')}`)
export const neededFlag = (object: Fields, name: string): boolean =>
  needed(boolean(object[name]), `saying whether it is ${name.replaceAll('_', ' ')}`)
export const currencyOf = (object: Fields): string => needed(text(object['currency']), 'its currency')
export const createdAt = (object: Fields): string => needed(instant(object['created']), 'its date')

export function metadataOf(object: Fields): Record<string, string> {
  const entries = Object.entries(fields(object['metadata'])).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(entries) as Record<string, string>
}
