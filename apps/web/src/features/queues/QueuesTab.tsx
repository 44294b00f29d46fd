import * as queues from '@agency/contract/descriptors/queues'
import type { QueueSummary } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { useCall } from '../../lib/use-call.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { Age } from '../../ui/Age.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { Person } from '../../ui/Person.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { jobReads, queuesList } from './queue-search.ts'
import { guardLabels, jobName } from './queue-words.ts'
import css from './queues.module.css'

const pollMs = 10_000
const hrefOf = ({ queue_name }: QueueSummary) => paths.queueJobsOf(queue_name)
const figure = (value: number) => <span className={css['figure']}>{formatCount(value)}</span>

const columns: readonly Column<QueueSummary>[] = [
  {
    ...{ id: 'type', header: 'Job type and queue', share: '80%' },
    cell: ({ job_type, queue_name }) => <Person name={job_type} detail={queue_name} />,
    text: jobName,
  },
  {
    ...{ id: 'state', header: 'State', onCard: true },
    title: ({ paused }) => (paused ? `Paused ${formatDateTime(paused.at)} by ${paused.by}` : ''),
    cell: ({ paused, guard }) => (
      <span className={css['chips']}>
        {paused ? <StatusChip tone="warning" label="Paused" /> : <StatusChip tone="success" label="Running" />}
        {guard ? <StatusChip tone="neutral" label={guardLabels[guard]} /> : null}
      </span>
    ),
  },
  { ...{ id: 'waiting', header: 'Pending', align: 'right', onCard: true }, cell: ({ waiting }) => figure(waiting) },
  { ...{ id: 'running', header: 'Processing', align: 'right' }, cell: ({ running }) => figure(running) },
  { ...{ id: 'failed', header: 'Failed', align: 'right' }, cell: ({ failed }) => figure(failed) },
  {
    ...{ id: 'counted', header: 'Counted', align: 'right' },
    cell: ({ counted_at: at }) =>
      at === null ? <span className={css['none']}>Not yet</span> : <Age at={at} lifetimeMs={120_000} />,
  },
  { ...{ id: 'acts', header: 'Actions', onCard: true }, cell: (queue) => <PauseButton queue={queue} /> },
]

function PauseButton({ queue }: { queue: QueueSummary }) {
  const { queue_name, job_type: name, paused } = queue
  const pause = useCall(queues.pauseQueue, jobReads)
  const resume = useCall(queues.resumeQueue, jobReads)
  const input = { params: { name: queue_name } }
  const handleResume = () => resume.mutate(input, { success: `Resumed: ${name}`, failure: `Not resumed: ${name}` })
  return paused ? (
    <ReasonedButton
      size="small"
      variant="outlined"
      aria-label={`Resume ${name}`}
      loading={resume.isPending}
      onClick={handleResume}
    >
      Resume
    </ReasonedButton>
  ) : (
    <ReasonedButton
      size="small"
      variant="outlined"
      aria-label={`Pause ${name}`}
      blocked={queue.pause_denial}
      loading={pause.isPending}
      onClick={() =>
        pause.mutate(input, {
          success: (toast) => toast.success(`Paused: ${name}. Running jobs finish, new ones wait`, handleResume),
          failure: `Not paused: ${name}`,
        })
      }
    >
      Pause
    </ReasonedButton>
  )
}

export function QueuesTab() {
  const screen = useListScreen(queuesList)
  usePoll(() => void screen.query.refetch(), screen.denial ? null : pollMs)
  return (
    <ListScreen
      screen={screen}
      label="Queues"
      many="queues"
      columns={columns}
      nameOf={jobName}
      hrefOf={hrefOf}
      skeletonRows={10}
      withoutPager
      empty="No queues yet."
    />
  )
}
