import type { Change, PerformanceRow } from '@agency/contract/types'
import { dayWords } from '../../lib/day-field.ts'
import { formatCount, formatDuration, formatNumber } from '../../lib/format.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { dayTick } from '../../lib/utc-days.ts'
import { BarPanel } from '../../ui/chart/BarPanel.tsx'
import { ChartPanel } from '../../ui/chart/ChartPanel.tsx'
import { chartColors } from '../../ui/chart/colors.ts'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { StatCard } from '../../ui/StatCard.tsx'
import { ChangeNote } from './ChangeNote.tsx'
import { Definitions } from './Definitions.tsx'
import { ReportFrame } from './ReportFrame.tsx'
import css from './reports.module.css'
import { performanceQuery, type ReportsSearch, reportsSearch } from './reports-search.ts'
import { counts, durations } from './scales.ts'
import { useReport } from './use-report.ts'

const titles = ['Response time', 'Downtime', 'Requests', 'Errors']
const uptimeText = (value: number): string => `${formatNumber(value, 3)}%`

export function PerformanceTab() {
  const { state } = useSearchState(reportsSearch)
  const report = useReport(performanceQuery(state))
  return (
    <ReportFrame report={report} what="the performance report" panels={titles}>
      {(data) => (
        <>
          <div className={css['figures']}>
            <Figure label="Uptime" change={data.uptime} format={uptimeText} state={state} />
            <Figure
              label="Response time"
              change={data.response_time}
              format={formatDuration}
              state={state}
              lessIsBetter
            />
            <Figure label="Requests" change={data.requests} format={formatCount} state={state} />
            <Figure label="Errors" change={data.errors} format={formatCount} state={state} lessIsBetter />
          </div>
          <Charts rows={data.rows} />
          <section className={css['section']} aria-label="Performance by day">
            <header>
              <h2>Performance by day</h2>
              <p className={css['note']}>
                Days in UTC. Response time and uptime: this console’s monitor. Requests and errors: Cloudflare’s kept
                days.
              </p>
              <Definitions of="Performance" definitions={data.definitions} />
            </header>
            <DataTable
              label="Performance by day"
              columns={columns}
              rows={data.rows.toReversed()}
              keyOf={({ date }) => date}
              nameOf={({ date }) => dayWords(date)}
              empty={<EmptyState text="The range has no days." />}
            />
          </section>
        </>
      )}
    </ReportFrame>
  )
}

type FigureProps = {
  label: string
  change: Change
  format: (value: number) => string
  state: ReportsSearch
  lessIsBetter?: boolean
}

function Figure({ label, change, format, state, lessIsBetter = false }: FigureProps) {
  const { current, reason } = change
  if (current === null) return <StatCard label={label} value="—" state="unavailable" note={reason} />
  return (
    <StatCard
      label={label}
      value={format(current)}
      note={<ChangeNote {...{ change, format, state, lessIsBetter }} />}
    />
  )
}

const unknown = 'Unavailable'
const known = (value: number | null, format: (value: number) => string) => (value === null ? unknown : format(value))

const columns: readonly Column<PerformanceRow>[] = [
  { id: 'date', header: 'Date', cell: ({ date }) => dayWords(date), share: '40%' },
  {
    ...{ id: 'response_time', header: 'Response time', align: 'right', onCard: true },
    cell: ({ response_time }) => known(response_time, formatDuration),
  },
  {
    ...{ id: 'uptime', header: 'Uptime', align: 'right', onCard: true },
    cell: ({ uptime }) => known(uptime, uptimeText),
  },
  { id: 'requests', header: 'Requests', align: 'right', cell: ({ requests }) => known(requests, formatCount) },
  { id: 'errors', header: 'Errors', align: 'right', onCard: true, cell: ({ errors }) => known(errors, formatCount) },
]

const monitor = <p className={css['note']}>Measured by this console’s monitor.</p>
const cloudflare = <p className={css['note']}>Measured by Cloudflare.</p>

function Charts({ rows }: { rows: readonly PerformanceRow[] }) {
  const slots = rows.map(({ date }) => date)
  const axis = { first: 'Day (UTC)', slots, tickOf: dayTick, nameOf: dayWords }
  const values = (name: Exclude<keyof PerformanceRow, 'date'>) => rows.map((row) => row[name])
  return (
    <div className={css['panels']}>
      <ChartPanel
        {...axis}
        title="Response time"
        lines={[{ id: 'ms', label: 'Mean of all sites', color: chartColors.main, values: values('response_time') }]}
        scale={durations}
        foot={monitor}
      />
      {/* From zero the difference between 99.9 and 99.5 could not be seen: what is drawn is the time that was lost. */}
      <BarPanel
        {...axis}
        title="Downtime"
        series={[
          {
            ...{ id: 'down', label: 'Down', color: chartColors.loss },
            values: rows.map(({ uptime }) => (uptime === null ? null : 100 - uptime)),
          },
        ]}
        scale={{
          format: (value) => `${formatNumber(value, 3)}%`,
          short: (value) => `${formatNumber(value, 2)}%`,
          base: 10,
        }}
        foot={<p className={css['note']}>Share of monitored time, all sites.</p>}
      />
      <ChartPanel
        {...axis}
        title="Requests"
        lines={[{ id: 'requests', label: 'Requests', color: chartColors.main, values: values('requests') }]}
        scale={counts}
        foot={cloudflare}
      />
      <BarPanel
        {...axis}
        title="Errors"
        series={[
          { id: 'errors', label: 'Answers of 500 and above', color: chartColors.loss, values: values('errors') },
        ]}
        scale={counts}
        foot={cloudflare}
      />
    </div>
  )
}
