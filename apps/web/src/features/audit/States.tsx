import type { AuditStep } from '@agency/contract/types'
import { DateTime } from '../../ui/DateTime.tsx'
import css from './audit.module.css'

type Props = {
  steps: readonly AuditStep[]
  /** The entry that is shown. */
  current: string
  hrefFor: (id: string) => string
}

/** How the deed went, from its first entry to its last; each leads to what it changed. */
export function States({ steps, current, hrefFor }: Props) {
  if (steps.length === 0) return null
  return (
    <ol className={css['states']} aria-label="Steps">
      {steps.map(({ id, created_at, details, user_name }) => (
        <li key={id} data-current={id === current}>
          <DateTime at={created_at} show="date-time" />
          <span>
            <a href={hrefFor(id)} aria-current={id === current ? 'step' : undefined}>
              <bdi>{details}</bdi>
            </a>
            , by <bdi>{user_name}</bdi>
          </span>
        </li>
      ))}
    </ol>
  )
}
