import * as adminUsers from '@agency/contract/descriptors/admin-users'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import css from './admin-users.module.css'

const pageSize = 25

/** What somebody did with people, roles and sessions, newest first. */
export function UserActivity({ userId }: { userId: string }) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useActivity(userId)
  const entries = data?.pages.flatMap((page) => page.entries)
  if (!entries) {
    return error ? (
      <SectionError error={error} onRetry={() => void refetch()} />
    ) : (
      <SkeletonLines count={6} height={48} />
    )
  }
  if (entries.length === 0) return <EmptyState text="No changes to people, roles or sessions yet." />
  return (
    <>
      <ul className={css['sessions']}>
        {entries.map((entry) => (
          <li key={entry.id} className={css['session']}>
            <p>
              <bdi>{entry.details}</bdi>
            </p>
            <p className={css['muted']}>
              <DateTime at={entry.created_at} show="date-time" />
              {entry.ip_address ? ` · ${entry.ip_address}` : ''}
            </p>
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <Button variant="outlined" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Load more
        </Button>
      ) : null}
    </>
  )
}

function useActivity(user: string) {
  const endpoint = adminUsers.listUserActivity
  return useInfiniteQuery({
    queryKey: [endpoint.path, 'of', user],
    queryFn: ({ pageParam, signal }) =>
      call(endpoint, { query: { user, limit: pageSize, starting_after: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? page.entries.at(-1)?.id : undefined),
    meta: { topics: endpoint.topics },
  })
}
