import { useSearchParams } from 'react-router'
import { type PagingOptions, readPaging } from './paging.ts'
import { addressParams, pageParams } from './search-state.ts'

type PageParams = Partial<Record<(typeof pageParams)[number] | 'size', string>>

/** Cursor paging kept in the URL: the query for the server, and what the table's pager needs. */
export function usePaging(options: PagingOptions) {
  const [params, setParams] = useSearchParams()
  const query = readPaging(params, options)
  const { limit: size, starting_after: after, ending_before: before } = query
  const { sizes } = options
  const offset = Math.max(0, Math.trunc(Number(params.get('at'))) || 0)

  const go = (change: PageParams) => {
    const next = addressParams()
    for (const name of pageParams) next.delete(name)
    for (const [name, value] of Object.entries(change)) next.set(name, value)
    setParams(next)
  }

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
