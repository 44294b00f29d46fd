import type { EndpointFigures } from '@agency/contract/types'
import type { EndpointField } from './metric-search.ts'

/** The calls by one of their figures, `-` before it for the largest first. */
export function sortedEndpoints(
  endpoints: readonly EndpointFigures[],
  sort: EndpointField | `-${EndpointField}`,
): EndpointFigures[] {
  const isDescending = sort.startsWith('-')
  const field = (isDescending ? sort.slice(1) : sort) as EndpointField
  const ascending = (a: EndpointFigures, b: EndpointFigures) =>
    field === 'path' ? (nameOfCall(a) < nameOfCall(b) ? -1 : 1) : a[field] - b[field]
  return [...endpoints].sort((a, b) => (isDescending ? ascending(b, a) : ascending(a, b)))
}

const nameOfCall = ({ path, method }: EndpointFigures): string => `${path} ${method}`
