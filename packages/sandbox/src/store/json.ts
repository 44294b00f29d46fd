const clean = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value

/** PostgreSQL's jsonb can hold neither U+0000 nor half of a surrogate pair; both show as escapes here. */
const unstorable = /\\u(?:0000|d[89a-f])/

export function toJson(value: unknown): string {
  const json = JSON.stringify(value)
  return unstorable.test(json) ? JSON.stringify(value, clean) : json
}
