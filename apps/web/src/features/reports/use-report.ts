import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiError } from '../../lib/problems.ts'

type Options<A> = { queryKey: readonly unknown[]; queryFn: (context: { signal: AbortSignal }) => Promise<A> }

export type Report<A> = {
  data: A | undefined
  error: ApiError | null
  isPending: boolean
  at: number | null
  retry: () => void
}
export type Shown<A> = (data: A) => ReactNode

/** A report keeps what it shows until the next range is there. */
export function useReport<A>(options: Options<A>): Report<A> {
  const query = useQuery({ ...options, placeholderData: keepPreviousData })
  return {
    data: query.data,
    error: query.error as ApiError | null,
    isPending: query.isPending,
    at: query.data === undefined ? null : query.dataUpdatedAt,
    retry: () => void query.refetch(),
  }
}
