import type { TimelineEntry as Entry } from '@agency/contract/types'
import { dayWords } from '../../lib/day-field.ts'
import { formatDate } from '../../lib/format-time.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PagedSection } from '../../ui/PagedSection.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { type TimelineState, timelineSearch } from './customer-search.ts'
import { TimelineEntry } from './TimelineEntry.tsx'
import { TimelineToolbar } from './TimelineToolbar.tsx'
import css from './timeline.module.css'
import { useTimeline } from './use-timeline.ts'

/** What happened with the customer, newest first, from every source that the server merges. */
export function ActivityTab({ customerId }: { customerId: string }) {
  const { state, set } = useSearchState(timelineSearch)
  const timeline = useTimeline(customerId, state)
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = timeline
  const entries = data?.pages.flatMap((page) => page.entries)
  return (
    <>
      <TimelineToolbar state={state} hidden={data?.pages[0]?.hidden ?? []} onChange={set} />
      <Newer timeline={timeline} />
      <PagedSection
        count={entries?.length}
        error={timeline.isFetchPreviousPageError ? null : error}
        skeleton={{ count: 6, height: 56 }}
        empty={<Nothing state={state} onAll={() => set({ kinds: [], until: '', find: '' })} />}
        hasMore={hasNextPage && !timeline.isPlaceholderData}
        isLoadingMore={isFetchingNextPage}
        moreLabel="Show older"
        onMore={() => void fetchNextPage()}
        onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())}
      >
        {byDay(entries ?? []).map(([day, group]) => (
          <section key={day} aria-label={day} className={css['group']} data-late={timeline.isPlaceholderData}>
            <h3 className={css['day']}>{day}</h3>
            <ul className={css['entries']}>
              {group.map((entry) => (
                <TimelineEntry key={entry.id} entry={entry} />
              ))}
            </ul>
          </section>
        ))}
      </PagedSection>
    </>
  )
}

function Newer({ timeline }: { timeline: ReturnType<typeof useTimeline> }) {
  const { error, hasPreviousPage, isFetchingPreviousPage, isFetchPreviousPageError, fetchPreviousPage } = timeline
  if (isFetchPreviousPageError && error) return <SectionError error={error} onRetry={() => void fetchPreviousPage()} />
  if (!hasPreviousPage || timeline.isPlaceholderData) return null
  return (
    <div className={css['newer']}>
      <Button variant="outlined" loading={isFetchingPreviousPage} onClick={() => void fetchPreviousPage()}>
        Show newer
      </Button>
    </div>
  )
}

function Nothing({ state, onAll }: { state: TimelineState; onAll: () => void }) {
  if (state.find !== '')
    return (
      <EmptyState text={`No activity matches "${state.find}".`} action={<Button onClick={onAll}>Show all</Button>} />
    )
  if (state.kinds.length === 0 && state.until === '') return <EmptyState text="No activity yet." />
  const when = state.until ? ` up to ${dayWords(state.until)}` : ''
  return (
    <EmptyState text={`Nothing of this kind happened${when}.`} action={<Button onClick={onAll}>Show all</Button>} />
  )
}

function byDay(entries: readonly Entry[]): [string, Entry[]][] {
  const days = new Map<string, Entry[]>()
  for (const entry of entries) {
    const day = formatDate(entry.at)
    const group = days.get(day)
    if (group) group.push(entry)
    else days.set(day, [entry])
  }
  return [...days]
}
