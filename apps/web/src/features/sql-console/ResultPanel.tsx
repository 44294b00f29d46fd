import type { SqlQuery } from '@agency/contract/types'
import { lazy, Suspense, useMemo, useState } from 'react'
import { formatBytes, formatCount, formatDuration } from '../../lib/format.ts'
import { useExport } from '../../lib/list/use-export.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { ExportMenu } from '../../ui/ExportMenu.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { ResultTable } from './ResultTable.tsx'
import { chartOf } from './result-shape.ts'
import css from './sql-console.module.css'
import type { Outcome, Plan, Result } from './use-query-run.ts'

const ResultChart = lazy(() => import('./ResultChart.tsx').then((m) => ({ default: m.ResultChart })))
const PlanTree = lazy(() => import('./PlanTree.tsx').then((m) => ({ default: m.PlanTree })))

const mostBytes = 8 * 1024 * 1024
const unit = ['row', 'rows'] as const

/** What became of the last query. */
export function ResultPanel({ outcome }: { outcome: Outcome }) {
  const { error } = outcome.answer
  if (error)
    return <Failure message={error.message} hint={error.hint} query={outcome.answer.query} at={error.position} />
  if (outcome.kind === 'plan') return <PlanPanel answer={outcome.answer} analyze={outcome.analyze} />
  return <Rows answer={outcome.answer} />
}

type FailureProps = { message: string; hint: string | null; query: SqlQuery; at: number | null }

function Failure({ message, hint, query, at }: FailureProps) {
  const where = at === null ? '' : ` ${placeOf(query.query, at)}`
  return (
    <ErrorPanel
      tone={query.status === 'cancelled' ? 'warning' : 'error'}
      title={query.status === 'cancelled' ? undefined : `Query failed.${where}`}
    >
      {message}
      {hint ? <span className={css['hint']}> {hint}</span> : null}
    </ErrorPanel>
  )
}

/** 'Line 2, column 5.' */
function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n')
  return `Line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}.`
}

/** How many rows are shown, and whether they are all. */
function countWords({ rows_affected: count, truncated }: SqlQuery): string {
  const rows = formatCount(count ?? 0)
  if (truncated === 'rows') return `Showing ${rows} of more`
  if (truncated === 'bytes') return `Showing ${rows} of more (first ${formatBytes(mostBytes)})`
  return `${rows} ${count === 1 ? 'row' : 'rows'}`
}

function Rows({ answer }: { answer: Result }) {
  const { query, columns, rows } = answer
  const [drawn, setDrawn] = useState<string | null>(null)
  const chart = useMemo(() => chartOf(columns, rows), [columns, rows])
  const exports_ = useExport('sql_result', unit)
  const isDrawn = drawn === query.id && typeof chart !== 'string'
  return (
    <Panel
      title="Results"
      flush
      actions={
        <span className={css['acts']}>
          <ReasonedButton
            size="small"
            variant="outlined"
            aria-pressed={isDrawn}
            blocked={typeof chart === 'string' ? chart : undefined}
            onClick={() => setDrawn(isDrawn ? null : query.id)}
          >
            Chart
          </ReasonedButton>
          <ExportMenu
            title="Runs the query again, up to 100,000 rows"
            isPending={exports_.isPending}
            onExport={(format) => exports_.start(format, { query_id: query.id })}
          />
        </span>
      }
      footer={
        <span role="status" className={css['summary']}>
          <span data-cut={query.truncated !== null}>{countWords(query)}</span>
          {query.execution_time === null ? null : ` · ${formatDuration(query.execution_time)}`}
          {query.truncated ? ' · Export includes up to 100,000 rows' : null}
        </span>
      }
    >
      {columns.length === 0 || rows.length === 0 ? (
        <EmptyState compact text="No rows." />
      ) : isDrawn ? (
        <div className={css['chart']}>
          <Suspense>
            <ResultChart chart={chart} />
          </Suspense>
        </div>
      ) : (
        <ResultTable key={query.id} label="Query results" columns={columns} rows={rows} />
      )}
    </Panel>
  )
}

function PlanPanel({ answer: { plan, query }, analyze }: { answer: Plan; analyze: boolean }) {
  return (
    <Panel
      title="Query plan"
      footer={
        <span role="status">
          {analyze ? 'Measured: the query was run' : 'Estimated: the query was not run'}
          {query.execution_time === null ? null : ` · ${formatDuration(query.execution_time)}`}
        </span>
      }
    >
      <Suspense>{plan ? <PlanTree plan={plan} /> : <EmptyState compact text="No plan." />}</Suspense>
    </Panel>
  )
}
