import { ApiError } from '../../lib/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Spoken } from '../../ui/Spoken.tsx'
import css from './palette.module.css'
import { type Search, shortestTerm } from './use-search.ts'

type Props = {
  term: string
  found: Search
  count: number
  /** What the server may be asked for, in words. */
  searchable: readonly string[]
  onRetry: () => void
}

/** What the list itself cannot say: that more is on its way, that there is nothing, or that it failed. */
export function PaletteNotes({ term, found, count, searchable, onRetry }: Props) {
  const text = noteOf(term, found.state, count, searchable)
  return (
    <>
      {found.state === 'failed' ? (
        <div role="alert" className={css['failure']}>
          <span>
            {sentence(listWords(searchable))} could not be searched. Screens and actions still work.
            <span className={css['cause']}>{causeOf(found.error)}</span>
          </span>
          <Button size="small" variant="outlined" onClick={onRetry}>
            Try Again
          </Button>
        </div>
      ) : null}
      <p role="status" className={text.isSpokenOnly ? undefined : css['note']}>
        {text.isSpokenOnly ? <Spoken>{text.words}</Spoken> : text.words}
      </p>
    </>
  )
}

type Note = { words: string; isSpokenOnly?: boolean }

function noteOf(term: string, state: Search['state'], count: number, searchable: readonly string[]): Note {
  if (state === 'searching') return { words: 'Searching…' }
  if (state === 'short' && term !== '' && searchable.length > 0)
    return { words: `Type ${shortestTerm} characters or more to search ${listWords(searchable)} too.` }
  if (count > 0 || state === 'failed')
    return { words: count === 1 ? '1 result' : `${count} results`, isSpokenOnly: true }
  if (searchable.length === 0) return { words: `No screen or action matches “${term}”.` }
  return { words: `Nothing matches “${term}” among ${listWords(['screens', 'actions', ...searchable])}.` }
}

function listWords(words: readonly string[]): string {
  const list = words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
  return list.toLowerCase()
}

const sentence = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function causeOf(error: Error | null): string {
  if (!(error instanceof ApiError)) return ''
  return [error.message, error.requestId && `Request ${error.requestId}`].filter(Boolean).join(' ')
}
