import type { RefusedSite } from '@agency/contract/types'
import css from './purchase-reset.module.css'

/** Sites that were, or would be, left as they are, each with its reason. */
export function RefusedList({ refused }: { refused: readonly RefusedSite[] }) {
  return (
    <ul className={css['refused']}>
      {refused.map(({ purchaseId, siteName, reason }) => (
        <li key={purchaseId}>
          <bdi>{siteName ?? purchaseId}</bdi>: {reason}
        </li>
      ))}
    </ul>
  )
}

export const leftText = (count: number): string =>
  count === 1 ? '1 site is not reset:' : `${count} sites are not reset:`
