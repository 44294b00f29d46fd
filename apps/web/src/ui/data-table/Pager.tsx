import { formatCount } from '../../lib/format.ts'
import { Icon } from '../Icon.tsx'
import { IconButton } from '../IconButton.tsx'
import type { Paging } from './columns.ts'
import css from './data-table.module.css'

type Props = { paging: Paging; shown: number; total: number | null | undefined }

export function Pager({ paging, shown, total }: Props) {
  return (
    <footer className={css['foot']}>
      <label className={css['size']}>
        Rows per page
        <select value={paging.size} onChange={(event) => paging.onSize(Number(event.target.value))}>
          {sizesWith(paging).map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
      <span>{rangeText(paging, shown, total)}</span>
      <nav aria-label="Pages">
        <IconButton small label="Previous page" disabled={!paging.hasPrevious} onClick={paging.onPrevious}>
          <Icon name="chevronLeft" size={24} />
        </IconButton>
        <IconButton small label="Next page" disabled={!paging.hasNext} onClick={paging.onNext}>
          <Icon name="chevronRight" size={24} />
        </IconButton>
      </nav>
    </footer>
  )
}

// An address may ask for a size that is no choice.
function sizesWith({ sizes, size }: Paging): readonly number[] {
  return sizes.includes(size) ? sizes : [...sizes, size].sort((a, b) => a - b)
}

export function rangeText(
  { offset, hasNext }: Pick<Paging, 'offset' | 'hasNext'>,
  shown: number,
  total?: number | null,
) {
  if (shown === 0) return 'No rows'
  const range = `${formatCount(offset + 1)}–${formatCount(offset + shown)}`
  if (total != null) return `${range} of ${formatCount(Math.max(total, offset + shown))}`
  return hasNext ? `${range} of more` : `${range} of ${formatCount(offset + shown)}`
}
