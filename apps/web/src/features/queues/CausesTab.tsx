import type { QueueCause } from '@agency/contract/types'
import { lazy, Suspense, useMemo, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { Person } from '../../ui/Person.tsx'
import { causesList } from './queue-search.ts'
import { jobName } from './queue-words.ts'
import css from './queues.module.css'

const BulkDialog = lazy(() => import('./BulkDialog.tsx').then((m) => ({ default: m.BulkDialog })))

const pollMs = 30_000
const nameOf = ({ error, job_type }: QueueCause) => `${error} (${job_type})`
const hrefOf = ({ id }: QueueCause) => paths.queueJobsOfCause(id)
const countOf = ({ jobs, has_more_jobs }: QueueCause) => `${formatCount(jobs)}${has_more_jobs ? '+' : ''}`

const columnsFor = (onRetry: (cause: QueueCause) => void): readonly Column<QueueCause>[] => [
  {
    ...{ id: 'error', header: 'Error', share: '60%', isForeign: true },
    cell: ({ error }) => <bdi>{error}</bdi>,
    text: ({ error }) => error,
  },
  {
    ...{ id: 'type', header: 'Job type and queue', share: '25%' },
    cell: ({ job_type, queue_name }) => <Person name={job_type} detail={queue_name} />,
    text: jobName,
  },
  {
    ...{ id: 'jobs', header: 'Jobs', align: 'right', onCard: true },
    cell: (cause) => <span className={css['figure']}>{countOf(cause)}</span>,
  },
  {
    ...{ id: 'first', header: 'First', align: 'right' },
    cell: ({ first_failed_at: at }) => <DateTime at={at} show="relative" />,
  },
  {
    ...{ id: 'last', header: 'Last', align: 'right', onCard: true },
    cell: ({ last_failed_at: at }) => <DateTime at={at} show="relative" />,
  },
  {
    ...{ id: 'acts', header: 'Actions', onCard: true },
    cell: (cause) => (
      <Button
        size="small"
        variant="outlined"
        aria-haspopup="dialog"
        aria-label={`Retry all: ${nameOf(cause)}`}
        onClick={() => onRetry(cause)}
      >
        Retry all
      </Button>
    ),
  },
]

export function CausesTab() {
  const screen = useListScreen(causesList)
  const [retried, setRetried] = useState<QueueCause>()
  usePoll(() => void screen.query.refetch(), screen.denial ? null : pollMs)
  const columns = useMemo(() => columnsFor(setRetried), [])
  return (
    <>
      <ListScreen
        screen={screen}
        label="Errors"
        many="errors"
        columns={columns}
        nameOf={nameOf}
        hrefOf={hrefOf}
        skeletonRows={5}
        withoutPager
        above={screen.answer?.has_more ? <p>The 50 most recent causes are shown.</p> : null}
        empty={<EmptyState title="No failed jobs" text="Failed jobs are kept for 30 days, grouped by cause." />}
      />
      <Suspense>
        {retried ? (
          <BulkDialog act="retry" filters={{ cause: retried.id }} onClose={() => setRetried(undefined)} />
        ) : null}
      </Suspense>
    </>
  )
}
