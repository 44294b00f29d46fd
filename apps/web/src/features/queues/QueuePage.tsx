import * as queues from '@agency/contract/descriptors/queues'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SubTabLinks } from '../../ui/SubTabLinks.tsx'
import { ToolScreenTabs } from '../../ui/ToolScreenTabs.tsx'
import { CausesTab } from './CausesTab.tsx'
import { JobsTab } from './JobsTab.tsx'
import { QueuesTab } from './QueuesTab.tsx'
import { type QueueTab, tabSearch } from './queue-search.ts'
import { RunsTab } from './RunsTab.tsx'
import { SchedulesTab } from './SchedulesTab.tsx'

const contents = { jobs: JobsTab, causes: CausesTab, queues: QueuesTab, schedules: SchedulesTab, runs: RunsTab }
const addresses: Record<QueueTab, string> = {
  jobs: paths.queue,
  causes: paths.queueCauses,
  queues: paths.queueList,
  schedules: paths.queueSchedules,
  runs: paths.queueRuns,
}
const tabs = [
  { href: addresses.jobs, label: 'Jobs' },
  { href: addresses.causes, label: 'Errors' },
  { href: addresses.queues, label: 'Queues' },
  { href: addresses.schedules, label: 'Schedules' },
  { href: addresses.runs, label: 'Runs' },
]
const summaries: Record<QueueTab, string> = {
  jobs: 'Background jobs · completed kept for 1 day, failed for 30 days',
  causes: 'Failed jobs, grouped by their cause',
  queues: 'What waits and runs in each queue',
  schedules: 'Work that runs by the clock, in UTC',
  runs: 'Work in steps that continues after a restart',
}

export function QueuePage() {
  const { state } = useSearchState(tabSearch)
  const denial = useDenial(queues.listQueueJobs)
  const Content = contents[state.tab]
  return (
    <>
      <PageHeader title="Admin Tools" summary={denial ? undefined : summaries[state.tab]} />
      <ToolScreenTabs current={paths.queue} />
      {denial ? (
        <EmptyState title="You may not see queues" text={denial} />
      ) : (
        <>
          <SubTabLinks label="Queues" tabs={tabs} current={addresses[state.tab]} />
          <Content />
        </>
      )}
    </>
  )
}
