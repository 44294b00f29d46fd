import type { NoticeReceiver } from '@agency/contract/types'
import { paths } from '../../../lib/paths.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from '../incidents.module.css'
import { nameOf, standingChips } from './notice-words.ts'

/** Whom it concerns, each once, and why somebody gets nothing. */
export function ReceiverList({ receivers }: { receivers: readonly NoticeReceiver[] }) {
  return (
    <Panel title="Affected customers">
      {receivers.length === 0 ? <p>No affected customers.</p> : null}
      <ul className={css['alerts']} aria-label="Affected customers">
        {receivers.map((receiver) => (
          <li key={receiver.customer_id} className={css['alert']}>
            <span className={css['words']}>
              <a href={paths.customer(receiver.customer_id)}>
                <bdi>{nameOf(receiver)}</bdi>
              </a>
              {receiver.address ? <bdi className={css['muted']}>{receiver.address}</bdi> : null}
              <bdi className={css['muted']}>{receiver.sites.join(', ')}</bdi>
            </span>
            <StatusChip {...standingChips[receiver.standing]} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
