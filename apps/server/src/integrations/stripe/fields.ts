/** Tolerant readers: a mapping must not fail on a field that the provider left out, renamed or filled oddly. */
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
export const integer = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)
export const amount = (value: unknown): number => integer(value) ?? 0

/** The id of a reference, whether it was expanded or not. */
export const idOf = (value: unknown): string | null => text(value) ?? text(fields(value)['id'])

const maxSeconds = 8_640_000_000_000

/** Unix seconds → ISO 8601. */
export function instant(value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > maxSeconds) return null
  return new Date(value * 1000).toISOString()
}

export const createdAt = (object: Fields): string => instant(object['created']) ?? '1970-01-01T00:00:00.000Z'

export function metadataOf(object: Fields): Record<string, string> {
  const entries = Object.entries(fields(object['metadata'])).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(entries) as Record<string, string>
}
