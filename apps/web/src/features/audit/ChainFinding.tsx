import type { AuditVerification } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import css from './audit.module.css'

type Props = { verification: AuditVerification; hrefFor: (entryId: string) => string }

/** What a check found wrong, with the entry that it is about. */
export function ChainFinding({ verification: { state, finding }, hrefFor }: Props) {
  if (state === 'failed') {
    return (
      <p role="alert" className={css['finding']} data-tone="warning">
        {finding?.message ?? 'The check stopped early. The entries checked so far are intact; check again.'}
      </p>
    )
  }
  if (!finding || (state !== 'broken' && state !== 'no_anchor')) return null
  return (
    <p role="alert" className={css['finding']} data-tone="error">
      <strong>{state === 'broken' ? 'The log was altered.' : 'No anchor.'}</strong> {finding.message}{' '}
      {finding.entry_id ? (
        <a href={hrefFor(finding.entry_id)}>
          Show {finding.seq === null ? 'the entry' : `entry #${formatCount(finding.seq)}`}
        </a>
      ) : null}
    </p>
  )
}
