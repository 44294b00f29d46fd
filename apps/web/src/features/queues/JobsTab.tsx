import * as queues from '@agency/contract/descriptors/queues'
import type { QueueJob } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { q } from '../../lib/api.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { Button } from '../../ui/Button.tsx'
import { ListSearch, ListSelect } from '../../ui/list/fields.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { jobColumns } from './job-columns.tsx'
import { filtersOf, jobChips, jobsList, statusChoices } from './queue-search.ts'
import { jobName } from './queue-words.ts'

const JobDetails = lazy(() => import('./JobDetails.tsx').then((m) => ({ default: m.JobDetails })))
const DeleteJobDialog = lazy(() => import('./DeleteJobDialog.tsx').then((m) => ({ default: m.DeleteJobDialog })))
const EditJobDialog = lazy(() => import('./EditJobDialog.tsx').then((m) => ({ default: m.EditJobDialog })))
const BulkDialog = lazy(() => import('./BulkDialog.tsx').then((m) => ({ default: m.BulkDialog })))

/** Jobs come and go by the second, and none of them tells. */
const pollMs = 10_000

type Act = { kind: 'delete' | 'edit'; job: QueueJob } | { kind: 'retry-all' | 'delete-all' }

export function JobsTab() {
  const screen = useListScreen(jobsList)
  const { state } = screen
  const [act, setAct] = useState<Act>()
  const names = useQuery(q(queues.listQueues, {}))
  usePoll(() => void screen.query.refetch(), screen.denial ? null : pollMs)
  const columns = useMemo(() => jobColumns((job) => setAct({ kind: 'delete', job })), [])
  const choices = (names.data?.queues ?? []).map(({ queue_name, job_type }) => ({ value: queue_name, label: job_type }))
  const close = () => setAct(undefined)
  return (
    <>
      <ListScreen
        screen={screen}
        label="Jobs"
        many="jobs"
        columns={columns}
        nameOf={jobName}
        actionsOf={(job) => [
          { label: 'View Details', href: screen.hrefOf(job) },
          {
            label: 'Edit and retry',
            disabledReason: job.edit_denial ?? undefined,
            onSelect: () => setAct({ kind: 'edit', job }),
          },
        ]}
        toolbar={
          <>
            <ListSearch screen={screen} label="Search id, content, customer, site or error" />
            <ListSelect screen={screen} field="status" label="Status" choices={statusChoices} />
            <ListSelect
              screen={screen}
              field="queue"
              label="Queue"
              choices={[{ value: '', label: 'All queues' }, ...withCurrent(choices, state.queue)]}
            />
            <Button variant="outlined" aria-haspopup="dialog" onClick={() => setAct({ kind: 'retry-all' })}>
              Retry all that match
            </Button>
            <Button
              variant="outlined"
              color="error"
              aria-haspopup="dialog"
              onClick={() => setAct({ kind: 'delete-all' })}
            >
              Delete all that match
            </Button>
          </>
        }
        chips={jobChips(state)}
        empty="No jobs yet."
        details={({ id, onClose }) => (
          <JobDetails
            id={id}
            onEdit={(job) => setAct({ kind: 'edit', job })}
            onDelete={(job) => setAct({ kind: 'delete', job })}
            onClose={onClose}
          />
        )}
      />
      <Suspense>
        {act?.kind === 'delete' ? (
          <DeleteJobDialog
            job={act.job}
            onDeleted={() => state.open === act.job.id && screen.close()}
            onClose={close}
          />
        ) : null}
        {act?.kind === 'edit' ? <EditJobDialog id={act.job.id} onClose={close} /> : null}
        {act?.kind === 'retry-all' ? <BulkDialog act="retry" filters={filtersOf(state)} onClose={close} /> : null}
        {act?.kind === 'delete-all' ? <BulkDialog act="delete" filters={filtersOf(state)} onClose={close} /> : null}
      </Suspense>
    </>
  )
}

type Choice = { value: string; label: string }

/** A queue of the address is chosen although the list of queues is not there yet, or does not have it. */
const withCurrent = (choices: readonly Choice[], current: string): readonly Choice[] =>
  current === '' || choices.some(({ value }) => value === current)
    ? choices
    : [{ value: current, label: current }, ...choices]
