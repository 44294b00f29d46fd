// PostgreSQL's jsonb can hold neither U+0000 nor half of a surrogate pair.
const clean = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed()

export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'string' ? clean(inner) : inner))
