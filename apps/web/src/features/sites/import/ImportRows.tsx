import type { ImportRow } from '@agency/contract/types'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from './import.module.css'

const shown = 200

/** What becomes of each of them, those that are left out with the reason. */
export function ImportRows({ rows }: { rows: readonly ImportRow[] }) {
  return (
    <>
      <ul className={css['rows']}>
        {rows.slice(0, shown).map((row) => (
          <li key={row.position} className={css['row']}>
            {row.outcome === 'create' ? (
              <StatusChip tone="success" label="New" />
            ) : (
              <StatusChip tone="neutral" label="Skipped" />
            )}
            <span className={css['words']}>
              <bdi>{row.site_name ?? row.domain ?? `Entry ${row.position + 1}`}</bdi>
              {row.site_name && row.domain ? <bdi className={css['muted']}>{row.domain}</bdi> : null}
              {[row.reason, ...row.notes].map((note) =>
                note === null ? null : (
                  <bdi key={note} className={css['muted']}>
                    {note}
                  </bdi>
                ),
              )}
            </span>
          </li>
        ))}
      </ul>
      {rows.length > shown ? <p className={css['muted']}>and {rows.length - shown} more</p> : null}
    </>
  )
}
