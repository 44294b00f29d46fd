const longest = 40
const nameless = 'role'

/** The identifier of a role after the name that people see; `taken` are those that are in use. */
export function roleNameOf(displayName: string, taken: ReadonlySet<string>): string {
  const plain = displayName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, longest)
  const base = plain.length < 2 ? nameless : plain
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '' : `_${number}`
    const name = base.slice(0, longest - ending.length) + ending
    if (!taken.has(name)) return name
  }
}
