import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import css from './SearchField.module.css'

type Props = {
  /** Its accessible name and placeholder. */
  label: string
  value: string
  onSearch: (value: string) => void
  delayMs?: number
}

/** Tells what was typed once typing rests. `/` reaches it from anywhere, Escape empties it. */
export function SearchField({ label, value, onSearch, delayMs = 250 }: Props) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const [told, setTold] = useState<readonly string[]>([])
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  // The URL may change under the field: back, forward, a cleared filter. What was told from here comes back later than the
  // next letters are typed, and takes nothing away from them.
  if (value !== seen) {
    const place = told.indexOf(value)
    setSeen(value)
    setTold(place < 0 ? [] : told.slice(place + 1))
    if (place < 0) setText(value)
  }

  const tell = (next: string, delay: number) => {
    setText(next)
    clearTimeout(timer.current)
    const search = () => {
      const words = next.trim()
      setTold((before) => (words === (before.at(-1) ?? seen) ? before : [...before, words]))
      onSearch(words)
    }
    if (delay) timer.current = setTimeout(search, delay)
    else search()
  }

  useEffect(() => () => clearTimeout(timer.current), [])
  // As soon as it is seen: an effect runs later, on a busy machine much later.
  useLayoutEffect(() => focusOnSlash(input), [])

  return (
    <div className={css['field']}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        className={css['input']}
        value={text}
        placeholder={label}
        aria-label={label}
        aria-keyshortcuts="/"
        onChange={(event) => tell(event.target.value, delayMs)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') tell(text, 0)
          if (event.key === 'Escape' && text) tell('', 0)
        }}
      />
      {text ? (
        <IconButton small label="Clear search" onClick={() => tell('', 0)}>
          <Icon name="close" />
        </IconButton>
      ) : null}
    </div>
  )
}

function focusOnSlash(input: React.RefObject<HTMLInputElement | null>): () => void {
  const handle = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    const typing = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.current?.focus()
    input.current?.select()
  }
  document.addEventListener('keydown', handle)
  return () => document.removeEventListener('keydown', handle)
}
