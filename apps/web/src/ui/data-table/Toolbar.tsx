import type { ReactNode } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../Button.tsx'
import { Icon } from '../Icon.tsx'
import type { ActiveFilter, Selection } from './columns.ts'
import css from './data-table.module.css'

type Props = {
  toolbar: ReactNode
  filters: readonly ActiveFilter[]
  onClearFilters: (() => void) | undefined
  selection: Selection | undefined
  selectionActions: ReactNode
  countText: string | undefined
}

export function Toolbar({ toolbar, filters, onClearFilters, selection, selectionActions, countText }: Props) {
  const selected = selection?.keys.size ?? 0
  return (
    <>
      {selection && selected > 0 ? (
        <div className={css['bar']} role="toolbar" aria-label="Selected rows">
          <span className={css['selected']} aria-live="polite">
            {formatCount(selected)} selected
          </span>
          {selectionActions}
          <Button size="small" onClick={() => selection.onChange(new Set())}>
            Clear selection
          </Button>
        </div>
      ) : toolbar || countText ? (
        <div className={css['bar']}>
          {toolbar}
          <span className={css['count']} role="status">
            {countText}
          </span>
        </div>
      ) : null}
      <FilterChips filters={filters} onClear={onClearFilters} />
    </>
  )
}

function FilterChips({ filters, onClear }: { filters: readonly ActiveFilter[]; onClear: (() => void) | undefined }) {
  if (filters.length === 0) return null
  return (
    <fieldset className={css['chips']} aria-label="Active filters">
      {filters.map(({ label, onRemove }) => (
        <button
          key={label}
          type="button"
          className={css['chip']}
          aria-label={`Remove filter ${label}`}
          onClick={onRemove}
        >
          {label}
          <Icon name="close" size={16} />
        </button>
      ))}
      {onClear && filters.length > 1 ? (
        <Button size="small" onClick={onClear}>
          Clear all
        </Button>
      ) : null}
    </fieldset>
  )
}
