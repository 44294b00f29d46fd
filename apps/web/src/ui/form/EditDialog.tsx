import { type QueryKey, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DetailsDialog } from '../DetailsDialog.tsx'
import { SectionError } from '../SectionError.tsx'
import { SkeletonLines } from '../Skeleton.tsx'

type Props<A, K extends QueryKey> = {
  title: string
  /** The state that is edited. */
  query: UseQueryOptions<A, Error, A, K>
  onClose: () => void
  /** The form, over the state as it was loaded, and the way to load it anew. */
  children: (answer: A, reload: () => Promise<A>) => ReactNode
}

/** Loads what is to be edited; the form in it keeps the state that it was opened with. */
export function EditDialog<A, K extends QueryKey>({ title, query, onClose, children }: Props<A, K>) {
  const { data, error, refetch } = useQuery(query)
  const client = useQueryClient()
  if (data !== undefined) return children(data, () => client.fetchQuery({ ...query, staleTime: 0 }))
  return (
    <DetailsDialog title={title} onClose={onClose}>
      {error ? <SectionError error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={6} height={40} />}
    </DetailsDialog>
  )
}
