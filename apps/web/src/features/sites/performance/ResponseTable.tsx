import type { SitePerformance } from '@agency/contract/types'
import { formatCount, formatDuration } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { ChartTable } from '../../../ui/chart/ChartTable.tsx'
import { deploymentWords, type IncidentTurn, type Slot, spanName, turnWords } from './slots.ts'

type Props = { performance: SitePerformance; slots: Slot[] }

const duration = (ms: number | null) => (ms === null ? '–' : formatDuration(ms))

const columns = [
  { label: 'Whole answer' },
  { label: 'First byte' },
  { label: 'Probes' },
  { label: 'Failed' },
  { label: 'Score' },
  { label: 'Deployments', isText: true },
  { label: 'Incidents', isText: true },
]

/** The chart's figures; spans in which nothing happened are left out. */
export function ResponseTable({ performance, slots }: Props) {
  const rows = slots
    .filter(({ point, deployments, incidents }) => point !== null || deployments.length + incidents.length > 0)
    .map(({ at, point, deployments, incidents }) => ({
      at,
      name: spanName(at, performance),
      cells: [
        duration(point?.response_ms ?? null),
        duration(point?.ttfb_ms ?? null),
        formatCount(point?.probes ?? 0),
        formatCount(point?.failures ?? 0),
        point?.score ?? '–',
        <bdi key="deployments">{deployments.map(deploymentWords).join(', ')}</bdi>,
        <Turns key="incidents" turns={incidents} />,
      ],
    }))
  return <ChartTable title="Response time" first="From" columns={columns} rows={rows} />
}

function Turns({ turns }: { turns: readonly IncidentTurn[] }) {
  return turns.map((each, index) => (
    <span key={`${each.incident.id} ${each.turn}`}>
      {index > 0 ? ', ' : null}
      <a href={paths.incident(each.incident.id)} title={each.incident.title}>
        {turnWords(each)}
      </a>
    </span>
  ))
}
