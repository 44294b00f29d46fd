import type * as audit from '@agency/contract/descriptors/audit'
import type { ResponseOf } from '../../lib/api.ts'
import { Spoken } from '../../ui/Spoken.tsx'
import css from './audit.module.css'

type Difference = ResponseOf<typeof audit.getAuditEntry>['differences'][number]

const words: Record<Difference['kind'], string> = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
  same: 'Unchanged',
}

/** What an entry changed, field by field; what stayed as it was is a click away. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  const changed = differences.filter(({ kind }) => kind !== 'same')
  const same = differences.filter(({ kind }) => kind === 'same')
  return (
    <section aria-label="Changes">
      <h3 className={css['heading']}>Changes</h3>
      {changed.length === 0 ? <p className={css['muted']}>No field was changed.</p> : <Lines differences={changed} />}
      {same.length > 0 ? (
        <details className={css['same']}>
          <summary>{same.length === 1 ? '1 unchanged field' : `${same.length} unchanged fields`}</summary>
          <Lines differences={same} />
        </details>
      ) : null}
    </section>
  )
}

function Lines({ differences }: { differences: readonly Difference[] }) {
  return (
    <ul className={css['differences']}>
      {differences.map(({ path, kind, before, after }) => (
        <li key={path} className={css['difference']}>
          <span className={css['path']}>
            <code>{path}</code>
            <span className={css['kind']} data-kind={kind}>
              {words[kind]}
            </span>
          </span>
          <span className={css['values']}>
            {kind === 'removed' || kind === 'changed' ? <Value sign="−" says="Before" value={before} /> : null}
            {kind === 'added' || kind === 'changed' ? <Value sign="+" says="After" value={after} /> : null}
            {kind === 'same' ? <Value sign="" says="Value" value={after} /> : null}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Value({ sign, says, value }: { sign: string; says: string; value: unknown }) {
  return (
    <span className={css['value']} data-sign={sign}>
      <Spoken>{says}: </Spoken>
      {sign ? <span aria-hidden="true">{sign}</span> : null}
      <code dir="auto">{wordsOf(value)}</code>
    </span>
  )
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '(none)'
  if (value === '') return '(empty)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
