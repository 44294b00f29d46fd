import type { TimelineEntry as Entry } from '@agency/contract/types'
import { formatMoney } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { KindIcon } from './KindIcon.tsx'
import css from './timeline.module.css'
import { kindWords } from './timeline-kinds.ts'

export function TimelineEntry({ entry }: { entry: Entry }) {
  const { kind, title, detail, actor, amount, currency, path } = entry
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
      </div>
      <span className={css['amount']}>
        {amount !== null && currency !== null ? formatMoney(amount, currency) : null}
      </span>
      <DateTime at={entry.at} show="time" />
    </li>
  )
}
