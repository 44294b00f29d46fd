import type { TimelineEntry as Entry } from '@agency/contract/types'
import { formatMoney } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { LiveMark } from '../../ui/LiveMark.tsx'
import { KindIcon } from './KindIcon.tsx'
import css from './timeline.module.css'
import { kindWords } from './timeline-kinds.ts'

export function TimelineEntry({ entry }: { entry: Entry }) {
  const { kind, title, detail, actor, amount, currency, path, is_live, steps } = entry
  const Title = path ? 'a' : 'span'
  return (
    <li className={css['entry']} data-kind={kind}>
      <span className={css['icon']} title={kindWords[kind].label}>
        <KindIcon kind={kind} />
      </span>
      <div className={css['words']}>
        <Title className={css['title']} href={path ?? undefined}>
          <bdi>{title}</bdi>
        </Title>
        {is_live ? (
          <>
            {' '}
            <LiveMark />
          </>
        ) : null}
        {detail ? (
          <p className={css[kind === 'note' ? 'note' : 'detail']}>
            <bdi>{detail}</bdi>
          </p>
        ) : null}
        {actor ? (
          <p className={css['detail']}>
            by <bdi>{actor}</bdi>
          </p>
        ) : null}
        <Steps steps={steps} />
      </div>
      <span className={css['amount']}>
        {amount !== null && currency !== null ? formatMoney(amount, currency) : null}
      </span>
      <DateTime at={entry.at} show="time" />
    </li>
  )
}

/** How the deed went, from its first state to its last. */
function Steps({ steps }: Pick<Entry, 'steps'>) {
  if (steps.length === 0) return null
  return (
    <details className={css['steps']}>
      <summary>{steps.length} steps</summary>
      <ol>
        {steps.map(({ id, created_at, details, user_name }) => (
          <li key={id}>
            <bdi>{details}</bdi>, by <bdi>{user_name}</bdi>, <DateTime at={created_at} show="date-time" />
          </li>
        ))}
      </ol>
    </details>
  )
}
