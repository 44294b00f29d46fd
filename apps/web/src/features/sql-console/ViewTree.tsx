import type { SqlView } from '@agency/contract/types'
import { useState } from 'react'
import css from './sql-console.module.css'

type Props = { views: readonly SqlView[]; onInsert: (word: string) => void }

const matches = ({ name, columns }: SqlView, words: string): boolean =>
  name.includes(words) || columns.some((column) => column.name.includes(words))

/** What can be asked: each view with its columns. A press puts the name into the query. */
export function ViewTree({ views, onInsert }: Props) {
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const shown = wanted === '' ? views : views.filter((view) => matches(view, wanted))
  return (
    <>
      <input
        type="search"
        aria-label="Find a view or column"
        className={css['find']}
        placeholder="Find a view or column"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <ul className={css['tree']} aria-label="Views">
        {shown.map((view) => (
          <li key={view.name}>
            <details>
              <summary title={view.description ?? undefined}>{view.name}</summary>
              {view.description ? <p className={css['about']}>{view.description}</p> : null}
              <ul>
                <li>
                  <button type="button" className={css['word']} onClick={() => onInsert(view.name)}>
                    Insert {view.name}
                  </button>
                </li>
                {view.columns.map((column) => (
                  <li key={column.name}>
                    <button
                      type="button"
                      className={css['word']}
                      title={column.description ?? undefined}
                      onClick={() => onInsert(column.name)}
                    >
                      {column.name}
                      <span className={css['type']}>{column.is_personal ? 'personal' : column.type}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
      {shown.length === 0 ? <p className={css['about']}>No matching view or column.</p> : null}
    </>
  )
}
