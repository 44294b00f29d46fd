import type { SecurityFinding } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './security.module.css'
import { findingChips } from './security-words.ts'

const order = Object.keys(findingChips) as SecurityFinding['state'][]

/** What should be done first stands first; what passed is a click away. */
export function Findings({ findings }: { findings: readonly SecurityFinding[] }) {
  const open = order
    .filter((state) => state !== 'ok')
    .flatMap((state) => findings.filter((finding) => finding.state === state))
  const passed = findings.filter(({ state }) => state === 'ok')
  return (
    <>
      {open.length === 0 ? <p className={css['nothing']}>Every check passed.</p> : <List findings={open} />}
      {passed.length > 0 ? (
        <details className={css['passed']}>
          <summary>{passed.length === 1 ? '1 check passed' : `${formatCount(passed.length)} checks passed`}</summary>
          <List findings={passed} />
        </details>
      ) : null}
    </>
  )
}

function List({ findings }: { findings: readonly SecurityFinding[] }) {
  return (
    <ul className={css['findings']}>
      {findings.map(({ id, title, state, finding, advice, link, link_text }) => (
        <li key={id} className={css['finding']}>
          <div className={css['findingHead']}>
            <h3>{title}</h3>
            <StatusChip {...findingChips[state]} />
          </div>
          <p>{finding}</p>
          {advice ? <p className={css['muted']}>{advice}</p> : null}
          {link ? <a href={link}>{link_text ?? 'Fix'}</a> : null}
        </li>
      ))}
    </ul>
  )
}
