/** PostgreSQL keeps neither NUL nor half of a surrogate pair in text. */
const unstorable = /\\u(?:0000|d[89a-f])/i

function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd').toWellFormed()
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), clean(inner)]))
}

/** JSON that PostgreSQL can store, whatever strangers wrote into names and metadata. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value)
  return unstorable.test(text) ? JSON.stringify(clean(value)) : text
}
