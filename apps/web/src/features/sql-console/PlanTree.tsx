import { formatCount, formatDuration, formatPercent } from '../../lib/format.ts'
import { type PlanNode, planTree } from './plan.ts'
import css from './sql-console.module.css'

/** The steps of a plan, each below the one that it feeds. */
export function PlanTree({ plan }: { plan: Readonly<Record<string, unknown>> }) {
  const root = planTree(plan)
  if (!root) return null
  return (
    <ul className={css['plan']} aria-label="Query plan">
      <PlanStep node={root} />
    </ul>
  )
}

function PlanStep({ node }: { node: PlanNode }) {
  const { title, notes, rows, expectedRows, ms, share, children } = node
  return (
    <li>
      <div className={css['step']}>
        <span className={css['stepTitle']}>{title}</span>
        <span className={css['stepFigures']}>
          {`${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`}
          {expectedRows === null ? null : (
            <span className={css['off']}>{` (${formatCount(Math.round(expectedRows))} expected)`}</span>
          )}
          {ms === null ? null : ` · ${formatDuration(ms)}`}
          {` · ${formatPercent(share, 0)} of the ${ms === null ? 'cost' : 'time'}`}
        </span>
        <meter className={css['share']} min={0} max={100} value={share} aria-label={`Part of ${title}`} />
        {notes.map((note) => (
          <code key={note} className={css['note']}>
            {note}
          </code>
        ))}
      </div>
      {children.length === 0 ? null : (
        <ul>
          {children.map((child) => (
            <PlanStep key={child.key} node={child} />
          ))}
        </ul>
      )}
    </li>
  )
}
