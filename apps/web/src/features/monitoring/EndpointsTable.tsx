import type { EndpointFigures } from '@agency/contract/types'
import { useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { sortedEndpoints } from './endpoint-rows.ts'
import { formatMeasure } from './measure.ts'
import type { MetricsAnswer } from './metric-slots.ts'
import css from './monitoring.module.css'
import type { Metrics } from './use-metrics.ts'

const few = 25
const nameOf = ({ method, path }: EndpointFigures) => `${method} ${path}`

const figure = (
  field: Exclude<keyof EndpointFigures, 'method' | 'path'>,
  header: string,
  cell: (row: EndpointFigures) => string,
): Column<EndpointFigures> => ({
  id: field,
  header,
  cell,
  align: 'right',
  sort: field,
  sortFirst: 'descending',
  onCard: field === 'requests' || field === 'errors' || field === 'p95_ms',
})

const columns: readonly Column<EndpointFigures>[] = [
  {
    id: 'path',
    header: 'Call',
    share: '100%',
    sort: 'path',
    cell: ({ method, path }) => (
      <span className={css['call']}>
        {method} <bdi>{path}</bdi>
      </span>
    ),
    text: nameOf,
  },
  figure('requests', 'Requests', ({ requests }) => formatCount(requests)),
  figure('errors', 'Errors', ({ errors }) => (errors === 0 ? '' : formatCount(errors))),
  figure('p50_ms', 'p50', ({ p50_ms }) => formatMeasure(p50_ms, 'ms')),
  figure('p95_ms', 'p95', ({ p95_ms }) => formatMeasure(p95_ms, 'ms')),
  figure('p99_ms', 'p99', ({ p99_ms }) => formatMeasure(p99_ms, 'ms')),
]

type Props = { answer: MetricsAnswer; search: Metrics['search'] }

/** The calls of the console's own API, the slowest first. */
export function EndpointsTable({ answer: { endpoints, endpoints_since }, search: { state, set } }: Props) {
  const [isWhole, setWhole] = useState(false)
  const rows = sortedEndpoints(endpoints, state.sort)
  return (
    <section className={css['endpoints']} aria-label="Endpoints">
      <h2>Endpoints</h2>
      <p className={css['accounting']}>
        {formatCount(rows.length)} {rows.length === 1 ? 'call' : 'calls'} of the API, since this console process
        started: <DateTime at={endpoints_since} show="date-time" />
      </p>
      <DataTable
        label="Endpoints"
        columns={columns}
        rows={isWhole ? rows : rows.slice(0, few)}
        keyOf={nameOf}
        nameOf={nameOf}
        sort={state.sort}
        onSort={(sort) => set({ sort: sort as typeof state.sort })}
        empty={<EmptyState text="No calls yet since the start of this console." />}
      />
      {!isWhole && rows.length > few ? (
        <div className={css['more']}>
          <Button variant="outlined" onClick={() => setWhole(true)}>
            Show all {formatCount(rows.length)}
          </Button>
        </div>
      ) : null}
    </section>
  )
}
