type Page = Record<string, unknown> & { has_more: boolean }
type Get = (path: string) => Promise<Page>

const idsOn = (page: Page, name: string): string[] => (page[name] as { id: string }[]).map(({ id }) => id)

/** The ids of all pages, one after the other. */
export async function readAllForward(get: Get, path: string, name: string): Promise<string[]> {
  const seen: string[] = []
  for (;;) {
    const last = seen.at(-1)
    const page = await get(last === undefined ? path : `${path}&starting_after=${last}`)
    const ids = idsOn(page, name)
    seen.push(...ids)
    if (!page.has_more) return seen
    if (ids.length === 0) throw new Error('an empty page says that there is more')
  }
}

/** The ids of all pages before one, each page put in front of those read earlier. */
export async function readAllBackward(get: Get, path: string, name: string, from = ''): Promise<string[]> {
  let seen: string[] = []
  for (;;) {
    const page = await get(`${path}&ending_before=${seen[0] ?? from}`)
    seen = [...idsOn(page, name), ...seen]
    if (!page.has_more) return seen
  }
}

export const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id)

/** What the list must be: descending by the key, absent values last, equal ones by id; or exactly the other way round. */
export function inOrder<T extends { id: string }>(
  list: readonly T[],
  key: (row: T) => string | number | null,
  isDescending = true,
): string[] {
  const value = (row: T) => {
    const found = key(row)
    return typeof found === 'string' ? Date.parse(found) : (found ?? Number.NEGATIVE_INFINITY)
  }
  const sorted = [...list].sort((a, b) => {
    const [x, y] = [value(a), value(b)]
    if (x !== y) return x < y ? 1 : -1
    return a.id < b.id ? 1 : -1
  })
  return idsOf(isDescending ? sorted : sorted.reverse())
}
