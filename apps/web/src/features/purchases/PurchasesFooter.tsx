import { formatCount } from '../../lib/format.ts'
import type { Paging } from '../../ui/data-table/columns.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import css from './purchases.module.css'

type Props = { shown: number; total: number; paging: Paging }

export function PurchasesFooter({ shown, total, paging }: Props) {
  const { hasPrevious, hasNext, onPrevious, onNext } = paging
  return (
    <footer className={css['foot']}>
      <span role="status">
        Showing {formatCount(shown)} of {formatCount(total)} recent purchases
      </span>
      {hasPrevious || hasNext ? (
        <nav aria-label="Pages">
          <IconButton small label="Newer purchases" disabled={!hasPrevious} onClick={onPrevious}>
            <Icon name="chevronLeft" size={24} />
          </IconButton>
          <IconButton small label="Older purchases" disabled={!hasNext} onClick={onNext}>
            <Icon name="chevronRight" size={24} />
          </IconButton>
        </nav>
      ) : null}
    </footer>
  )
}
