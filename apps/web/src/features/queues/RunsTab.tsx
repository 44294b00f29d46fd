import type { QueueRun } from '@agency/contract/types'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { ListSelect } from '../../ui/list/fields.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { runsList, statusChoices } from './queue-search.ts'
import { runName, statusChips, stepName, touchedHref, touchedLabel } from './queue-words.ts'
import css from './queues.module.css'

const pollMs = 10_000

/** The step that a run is at, failed at, or ended with. */
const stepOf = ({ steps }: QueueRun): QueueRun['steps'][number] | undefined =>
  steps.find(({ state }) => state === 'failed' || state === 'running') ??
  steps.find(({ state }) => state === 'waiting') ??
  steps.at(-1)

const stepText = (run: QueueRun): string => {
  const step = stepOf(run)
  if (!step) return ''
  const place = `${run.steps.indexOf(step) + 1} of ${run.steps.length}: ${stepName(step.name)}`
  return step.note === null ? place : `${place}. ${step.note}`
}

const aboutText = ({ touched }: QueueRun): string => touched.map(touchedLabel).join(', ')

const columns: readonly Column<QueueRun>[] = [
  {
    ...{ id: 'run', header: 'Run', share: '30%' },
    cell: (run) => <Person name={stepName(run.kind)} detail={run.queue_name} />,
    text: runName,
  },
  {
    ...{ id: 'about', header: 'About', share: '30%' },
    cell: (run) =>
      run.touched.map((thing) => {
        const href = touchedHref(thing)
        return <bdi key={thing.id}>{href ? <a href={href}>{touchedLabel(thing)}</a> : touchedLabel(thing)}</bdi>
      }),
    text: aboutText,
  },
  {
    ...{ id: 'status', header: 'Status', onCard: true },
    cell: ({ status }) => <StatusChip {...statusChips[status]} />,
  },
  {
    ...{ id: 'step', header: 'Step', share: '40%', onCard: true },
    cell: (run) => <bdi>{stepText(run)}</bdi>,
    text: stepText,
  },
  {
    ...{ id: 'next', header: 'Next run', align: 'right' },
    cell: ({ next_run_at: at, status }) =>
      status === 'pending' || status === 'processing' ? (
        <DateTime at={at} show="date-time" none="—" />
      ) : (
        <span className={css['none']}>—</span>
      ),
  },
  { ...{ id: 'by', header: 'Started by' }, cell: ({ started_by }) => <bdi>{started_by}</bdi> },
  {
    ...{ id: 'created', header: 'Created', align: 'right', onCard: true },
    cell: ({ created_at: at }) => <DateTime at={at} show="relative" />,
  },
]

/** Work in steps; it is tried again and called off where its subject is shown. */
export function RunsTab() {
  const screen = useListScreen(runsList)
  usePoll(() => void screen.query.refetch(), screen.denial ? null : pollMs)
  return (
    <ListScreen
      screen={screen}
      label="Runs"
      many="runs"
      columns={columns}
      nameOf={runName}
      skeletonRows={8}
      toolbar={<ListSelect screen={screen} field="status" label="Status" choices={statusChoices} />}
      empty="No runs yet."
    />
  )
}
