import { customers } from '@agency/contract/descriptors'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call, type ResponseOf } from '../../lib/api.ts'
import { formatMoney } from '../../lib/format.ts'
import { formatDate } from '../../lib/format-time.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import css from './customers.module.css'

type Entry = ResponseOf<typeof customers.listCustomerActivity>['entries'][number]

const pageSize = 25

/** What happened with the customer, newest first, from every source that the server merges. */
export function ActivityTab({ customerId }: { customerId: string }) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useActivity(customerId)
  const entries = data?.pages.flatMap((page) => page.entries)

  if (!entries) {
    return error ? (
      <SectionError error={error} onRetry={() => void refetch()} />
    ) : (
      <SkeletonLines count={6} height={56} />
    )
  }
  if (entries.length === 0) return <EmptyState text="Nothing has happened with this customer yet." />
  return (
    <>
      {byDay(entries).map(([day, group]) => (
        <section key={day} aria-label={day}>
          <h3 className={css['day']}>{day}</h3>
          <ul className={css['timeline']}>
            {group.map((entry) => (
              <TimelineEntry key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      {error ? <SectionError error={error} onRetry={() => void fetchNextPage()} /> : null}
      {hasNextPage && !error ? (
        <div className={css['centre']}>
          <Button variant="outlined" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </div>
      ) : null}
    </>
  )
}

function useActivity(customerId: string) {
  const endpoint = customers.listCustomerActivity
  return useInfiniteQuery({
    queryKey: [endpoint.path, customerId],
    queryFn: ({ pageParam, signal }) =>
      call(endpoint, { params: { id: customerId }, query: { limit: pageSize, before: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? (page.next ?? undefined) : undefined),
    meta: { topics: endpoint.topics },
  })
}

function TimelineEntry({ entry }: { entry: Entry }) {
  const href = entry.link_id ? hrefFor(entry.link_id) : undefined
  const Title = href ? 'a' : 'span'
  return (
    <li className={css['entry']}>
      <DateTime at={entry.at} show="time" />
      <div>
        <Title className={css['entryTitle']} href={href}>
          <bdi>{entry.title}</bdi>
        </Title>
        {entry.detail ? (
          <p className={css[entry.kind === 'note' ? 'noteText' : 'muted']}>
            <bdi>{entry.detail}</bdi>
          </p>
        ) : null}
        {entry.actor ? <p className={css['muted']}>by {entry.actor}</p> : null}
      </div>
      <span className={css['figures']}>
        {entry.amount !== null && entry.currency ? formatMoney(entry.amount, entry.currency) : null}
      </span>
    </li>
  )
}

function hrefFor(id: string): string | undefined {
  if (/^(?:pi|ch|py)_/.test(id)) return paths.payment(id)
  return id.startsWith('sub_') ? paths.subscription(id) : undefined
}

function byDay(entries: readonly Entry[]): [string, Entry[]][] {
  const days = new Map<string, Entry[]>()
  for (const entry of entries) {
    const day = formatDate(entry.at)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}
