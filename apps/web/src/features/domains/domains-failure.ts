import type * as domains from '@agency/contract/descriptors/domains'
import type { ResponseOf } from '../../lib/api.ts'
import type { ApiError } from '../../lib/problems.ts'

type ListAnswer = ResponseOf<typeof domains.listDomains>

type Failed = { error: Error | null; at: number }

/** What went wrong last, whoever it went wrong for. A refresh that failed is over once a later one brought rows. */
export function failureOf(data: ListAnswer | undefined, list: Failed, refresh: Failed) {
  const isOver = data !== undefined && Date.parse(data.fetched_at) > refresh.at
  if (refresh.error && !isOver) return { error: refresh.error as ApiError, at: refresh.at }
  if (list.error) return { error: list.error as ApiError, at: list.at }
  return data?.problem ? { error: data.problem, at: data.problem.at } : { error: null, at: null }
}
