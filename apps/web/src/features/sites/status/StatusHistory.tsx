import type { SiteStatusChange } from '@agency/contract/types'
import { siteStatusChips } from '../../../lib/site-status.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from './status.module.css'

/** What brought it, in words that go on with who it was; of what happens by itself there is nobody to name. */
const causes: Record<SiteStatusChange['cause'], { words: string; byItself?: true }> = {
  created: { words: 'Added by' },
  imported: { words: 'Imported by' },
  by_hand: { words: 'Set by' },
  expired: { words: 'Manual status ended', byItself: true },
  deployment: { words: 'Deployment by' },
  suspension: { words: 'Suspended by' },
  resumption: { words: 'Resumed by' },
  deletion: { words: 'Deleted by' },
}

const actorOf = ({ actor_type, actor_name }: SiteStatusChange) => (actor_type === 'job' ? 'the console' : actor_name)

/** The newest changes of the status, newest first. */
export function StatusHistory({ changes }: { changes: readonly SiteStatusChange[] }) {
  if (changes.length === 0) return null
  return (
    <section>
      <h3 className={css['heading']}>Status history</h3>
      <ol className={css['history']}>
        {changes.map((change) => (
          <li key={change.id} className={css['change']}>
            <StatusChip {...siteStatusChips[change.to_status]} />
            <span className={css['words']}>
              {causes[change.cause].words} {causes[change.cause].byItself ? null : <bdi>{actorOf(change)}</bdi>}
              {change.reason ? (
                <>
                  : <bdi className={css['reason']}>{change.reason}</bdi>
                </>
              ) : null}
              {change.until ? (
                <>
                  {' '}
                  (until <DateTime at={change.until} show="date-time" />)
                </>
              ) : null}
            </span>
            <DateTime at={change.at} show="date-time" />
          </li>
        ))}
      </ol>
    </section>
  )
}
