import * as queues from '@agency/contract/descriptors/queues'
import type { JobFilters } from '@agency/contract/types'
import { q } from '../../lib/api.ts'
import { chipsOf, chosenOf, defineList } from '../../lib/list/define-list.ts'
import { paths } from '../../lib/paths.ts'
import { oneOf, readState, type StateOf, text } from '../../lib/search-state.ts'
import type { Choice } from '../../ui/FilterField.tsx'
import { statusChips } from './queue-words.ts'

export const tabSearch = { tab: oneOf(['jobs', 'causes', 'queues', 'schedules', 'runs'], 'jobs') }
export type QueueTab = StateOf<typeof tabSearch>['tab']

const statuses = ['all', 'pending', 'processing', 'completed', 'failed', 'cancelled'] as const
export const statusChoices: readonly Choice[] = statuses.map((value) => ({
  value,
  label: value === 'all' ? 'All' : statusChips[value].label,
}))

const jobSearch = {
  search: text(),
  status: oneOf(statuses, 'all'),
  queue: text(),
  cause: text(),
  sort: oneOf(['-created_at', 'created_at'], '-created_at'),
  open: text('', { keepsPage: true }),
}
export type JobSearch = StateOf<typeof jobSearch>
const filters = ['search', 'status', 'queue', 'cause'] as const

/** As the server takes them. */
export const filtersOf = (state: JobSearch): JobFilters => chosenOf(jobSearch, state, filters)

export const jobsList = defineList({
  search: jobSearch,
  filters,
  sizes: [10, 25, 50, 100],
  initialSize: 25,
  query: (page, state) => q(queues.listQueueJobs, { query: { ...page, ...filtersOf(state), sort: state.sort } }),
  rows: ({ jobs }) => jobs,
  path: paths.queue,
})

export const jobChips = (state: JobSearch) =>
  chipsOf(jobSearch, state, {
    status: (status) => `Status: ${statusChips[status].label}`,
    queue: (queue) => `Queue: ${queue}`,
    cause: () => 'Same cause',
  })

const runSearch = { status: oneOf(statuses, 'all') }
export const runsList = defineList({
  search: runSearch,
  filters: ['status'],
  sizes: [10, 25, 50],
  initialSize: 25,
  query: (page, state) => q(queues.listQueueRuns, { query: { ...page, ...chosenOf(runSearch, state, ['status']) } }),
  rows: ({ runs }) => runs,
})

const whole = { search: {}, filters: [], sizes: [], initialSize: 100 } as const
export const queuesList = defineList({
  ...whole,
  query: () => q(queues.listQueues, {}),
  rows: (answer) => answer.queues,
})
export const schedulesList = defineList({
  ...whole,
  query: () => q(queues.listQueueSchedules, {}),
  rows: ({ schedules }) => schedules,
})
export const causesList = defineList({
  ...whole,
  query: () => q(queues.listQueueCauses, {}),
  rows: ({ causes }) => causes,
})

const lists = { jobs: jobsList, causes: causesList, queues: queuesList, schedules: schedulesList, runs: runsList }

/** What the tab that the address names asks first. */
export const queueQueries = (params: URLSearchParams, pathname: string) =>
  lists[readState(tabSearch, params).tab].queriesFor(params, pathname)

/** What an act on jobs makes stale. */
export const jobReads = [queues.listQueueJobs, queues.getQueueJob, queues.listQueueCauses, queues.listQueues]
