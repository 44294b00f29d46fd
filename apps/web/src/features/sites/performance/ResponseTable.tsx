import type { SitePerformance } from '@agency/contract/types'
import { formatCount, formatDuration } from '../../../lib/format.ts'
import { ChartTable } from '../../../ui/chart/ChartTable.tsx'
import { deploymentWords, type Slot, spanName } from './slots.ts'

type Props = { performance: SitePerformance; slots: Slot[] }

const duration = (ms: number | null) => (ms === null ? '–' : formatDuration(ms))

const columns = [
  { label: 'Whole answer' },
  { label: 'First byte' },
  { label: 'Probes' },
  { label: 'Failed' },
  { label: 'Score' },
  { label: 'Deployments', isText: true },
]

/** The chart's figures; spans in which nothing happened are left out. */
export function ResponseTable({ performance, slots }: Props) {
  const rows = slots
    .filter(({ point, deployments }) => point !== null || deployments.length > 0)
    .map(({ at, point, deployments }) => ({
      at,
      name: spanName(at, performance),
      cells: [
        duration(point?.response_ms ?? null),
        duration(point?.ttfb_ms ?? null),
        formatCount(point?.probes ?? 0),
        formatCount(point?.failures ?? 0),
        point?.score ?? '–',
        <bdi key="deployments">{deployments.map(deploymentWords).join(', ')}</bdi>,
      ],
    }))
  return <ChartTable title="Response time" first="From" columns={columns} rows={rows} />
}
