import { memo, useState } from 'react'
import css from './cards.module.css'
import { type Column, titleOf } from './columns.ts'
import table from './data-table.module.css'
import { rowMenuButton, rowName } from './row-name.tsx'
import type { RowProps } from './TableRow.tsx'

/** A row on a phone: its name and the three facts that matter, the others on a press. */
function PlainRowCard<Row>(props: RowProps<Row>) {
  const { row, index, name, columns, active, href, onOpen, selected, onSelect, hasMenu } = props
  const opens = href !== undefined || onOpen !== undefined
  const [first, ...others] = columns
  const [isWhole, setIsWhole] = useState(false)
  const facts = leadingFacts(others)
  return (
    <li className={css['card']} data-row={index} aria-current={selected || undefined}>
      {selected === undefined ? null : (
        <input
          type="checkbox"
          className={css['check']}
          aria-label={`Select ${name}`}
          checked={selected}
          onChange={(event) => onSelect(row, event.target.checked)}
        />
      )}
      {opens ? (
        rowName({
          className: css['name'],
          href,
          onOpen: onOpen && (() => onOpen(row)),
          active,
          children: first?.cell(row),
        })
      ) : (
        <span className={css['name']}>{first?.cell(row)}</span>
      )}
      {hasMenu ? rowMenuButton({ className: table['dots'], name, active, isStop: !opens }) : null}
      <dl className={css['facts']} data-whole={isWhole}>
        {(isWhole ? others : facts).map((column) => (
          <FactLine key={column.id} label={column.header} title={titleOf(column, row)}>
            {column.cell(row)}
          </FactLine>
        ))}
      </dl>
      {facts.length < others.length ? (
        <button
          type="button"
          className={css['more']}
          aria-expanded={isWhole}
          aria-label={`${isWhole ? 'Less' : 'More'} about ${name}`}
          tabIndex={active ? 0 : -1}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Less' : 'More'}
        </button>
      ) : null}
    </li>
  )
}

const leadingFacts = <Row,>(columns: readonly Column<Row>[]) => columns.filter(({ onCard }) => onCard).slice(0, 3)

function FactLine({ label, title, children }: { label: string; title: string | undefined; children: React.ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd title={title}>{children}</dd>
    </>
  )
}

// memo loses the type parameter; the cast gives it back.
export const RowCard = memo(PlainRowCard) as typeof PlainRowCard
