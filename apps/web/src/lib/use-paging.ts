import { useSearchParams } from 'react-router'
import { pageParams } from './use-search-state.ts'

type Options = { sizes: readonly number[]; initialSize: number }
type PageParams = Partial<Record<(typeof pageParams)[number] | 'size', string>>

/** Cursor paging kept in the URL: the query for the server, and what the table's pager needs. */
export function usePaging({ sizes, initialSize }: Options) {
  const [params, setParams] = useSearchParams()
  const wanted = Number(params.get('size'))
  const size = sizes.includes(wanted) ? wanted : initialSize
  const after = params.get('after') ?? undefined
  const before = params.get('before') ?? undefined
  const offset = Math.max(0, Math.trunc(Number(params.get('at'))) || 0)

  const go = (change: PageParams) =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      for (const name of pageParams) next.delete(name)
      for (const [name, value] of Object.entries(change)) next.set(name, value)
      return next
    })

  const query = { limit: size, starting_after: after, ending_before: before }
  const pagingFor = (keys: readonly string[], hasMore: boolean) => ({
    size,
    sizes,
    offset,
    // Paging backwards, `has_more` speaks of the rows further back.
    hasNext: before ? true : hasMore,
    hasPrevious: before ? hasMore : after !== undefined,
    onNext: () => go({ after: keys.at(-1) ?? '', at: String(offset + keys.length) }),
    onPrevious: () => (offset <= size ? go({}) : go({ before: keys[0] ?? '', at: String(offset - size) })),
    onSize: (next: number) => go({ size: String(next) }),
  })
  return { size, query, pagingFor }
}
