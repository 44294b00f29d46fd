import { DateTime } from './DateTime.tsx'
import css from './event-list.module.css'

export type ListedEvent = {
  id: string
  at: string
  /** What kind of thing happened: "Acknowledged". */
  label: string
  /** A person; null: the console itself. */
  actor: string | null
  text: string
}

/** What became of something, oldest first. */
export function EventList({ label, events }: { label: string; events: readonly ListedEvent[] }) {
  return (
    <ol className={css['events']} aria-label={label}>
      {events.map(({ id, at, label: kind, actor, text }) => (
        <li key={id} className={css['event']}>
          <p className={css['head']}>
            <span className={css['kind']}>{kind}</span>
            <span>
              <bdi>{actor ?? 'Console'}</bdi> · <DateTime at={at} show="date-time" />
            </span>
          </p>
          {text ? (
            <p className={css['text']}>
              {/* What the console writes may begin with a name in another script. */}
              <bdi dir={actor === null ? 'ltr' : undefined}>{text}</bdi>
            </p>
          ) : null}
        </li>
      ))}
    </ol>
  )
}
