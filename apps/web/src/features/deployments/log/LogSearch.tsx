import type { KeyboardEvent, RefObject } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import css from './log.module.css'
import type { LogSearchState } from './use-log-search.ts'

type Props = { input: RefObject<HTMLInputElement | null>; search: LogSearchState }

export function LogSearch({ input, search }: Props) {
  const { text, wanted, found, error } = search
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      if (event.shiftKey) search.previous()
      else search.next()
    }
    // The first Escape empties the field, the next one closes what the log stands in.
    if (event.key === 'Escape' && text !== '') {
      event.stopPropagation()
      search.change('')
    }
  }
  return (
    <div className={css['search']}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        className={css['input']}
        value={text}
        placeholder="Search the log"
        aria-label="Search the log"
        aria-keyshortcuts="/ Control+F"
        spellCheck={false}
        onChange={(event) => search.change(event.target.value)}
        onKeyDown={handleKey}
      />
      <span className={css['found']} role="status">
        {error ? 'Could not be searched' : wanted === '' ? '' : found ? placeText(found) : 'Searching'}
      </span>
      <IconButton small label="Previous match" disabled={!found?.total} onClick={search.previous}>
        <Icon name="chevronLeft" />
      </IconButton>
      <IconButton small label="Next match" disabled={!found?.total} onClick={search.next}>
        <Icon name="chevronRight" />
      </IconButton>
    </div>
  )
}

function placeText({ total, place }: { total: number; place: number | null }): string {
  if (total === 0) return 'No match'
  return `${formatCount((place ?? 0) + 1)} of ${formatCount(total)}`
}
