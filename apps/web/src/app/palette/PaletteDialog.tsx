import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useSessionState } from '../../lib/session.ts'
import { phone, useMedia } from '../../lib/use-media.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { useForeground } from '../../ui/foreground.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Spoken } from '../../ui/Spoken.tsx'
import { commandOf } from './commands.ts'
import { searchable } from './hit-items.ts'
import { type Item, optionId } from './items.ts'
import { PaletteList } from './PaletteList.tsx'
import { PaletteNotes } from './PaletteNotes.tsx'
import css from './palette.module.css'
import { placeOf } from './place-keys.ts'
import { remember } from './recent.ts'
import type { Tools } from './tools.ts'
import { activeOf, stepTo, useChoices } from './use-choices.ts'
import { useSearch } from './use-search.ts'

type Props = {
  tools: () => Tools
  /** What was typed before the field was there. */
  typed: string
  onClose: () => void
}

/** A key that was pressed while the answer was on its way: Enter, or Alt with the digit of a place. */
type Entered = { seen: string | undefined; place?: number }

const atTop = { '& .MuiDialog-container': { alignItems: 'flex-start' } }

/** Everything of the console by its name: screens, actions, and what the server finds. */
export function PaletteDialog({ tools, typed, onClose }: Props) {
  useForeground()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const isPhone = useMedia(phone)
  const { actor } = useSessionState()
  const kinds = searchable(actor.permissions)
  const [text, setText] = useState(typed)
  const [pointed, setPointed] = useState<string>()
  const [entered, setEntered] = useState<Entered | null>(null)
  const term = text.trim()
  const asked = commandOf(term, actor.permissions)
  // Of a command, what follows the verb is looked for.
  const sought = asked?.name ?? term
  const found = useSearch(sought, kinds.length > 0)
  const groups = useChoices(term, found, asked)
  const items = groups.flatMap((group) => group.items)
  const active = activeOf(items, pointed)
  const isLate = found.state === 'searching'
  const fromServer = groups.some((group) => group.isFromServer && active && group.items.includes(active))

  const handleChoose = (item: Item) => {
    if (item.recent) remember(actor, item.recent)
    onClose()
    void item.run?.(tools())
  }
  const handleRetry = () => {
    // The button goes with the failure.
    field.current?.focus()
    found.retry()
  }
  const choose = (item: Item | undefined) => {
    if (item) document.getElementById(optionId(id, item))?.click()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const next = stepTo(event.key, items, active)
    if (next) {
      event.preventDefault()
      setPointed(next.key)
      document.getElementById(optionId(id, next))?.scrollIntoView?.({ block: 'nearest' })
    }
    const place = placeOf(event.nativeEvent)
    if (place !== undefined) {
      event.preventDefault()
      // What is still looked for may come in between.
      if (!isLate) choose(items[place])
      else if (items[place]) setEntered({ seen: items[place].key, place })
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    // What an earlier term found is not what was meant, unless it was pointed at.
    if (isLate && pointed === undefined && (fromServer || !active)) setEntered({ seen: active?.key })
    else choose(active)
  }

  // What was pressed before the answer takes effect with it: an id is pasted and entered at once.
  const awaited = entered?.place === undefined ? active : items[entered.place]
  useEffect(() => {
    if (!entered || isLate) return
    setEntered(null)
    if (found.state !== 'found' || !awaited) return
    // Enter means what is found; a place, and what does something at once, mean what was shown when the key was pressed.
    const isFree = entered.place === undefined && !awaited.run
    if (isFree || awaited.key === entered.seen) document.getElementById(optionId(id, awaited))?.click()
  }, [entered, isLate, found.state, awaited, id])

  return (
    <Dialog
      open
      onClose={onClose}
      fullWidth
      maxWidth="sm"
      transitionDuration={120}
      fullScreen={isPhone}
      sx={isPhone ? {} : atTop}
      aria-labelledby={`${id}-name`}
    >
      <Spoken as="h2" id={`${id}-name`}>
        Search
      </Spoken>
      <div className={css['field']}>
        <Icon name="search" size={24} />
        <input
          ref={field}
          autoFocus
          className={css['input']}
          role="combobox"
          aria-label="Search the console"
          aria-expanded={items.length > 0}
          aria-controls={items.length > 0 ? id : undefined}
          aria-activedescendant={active ? optionId(id, active) : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          placeholder="Name, email, id, screen or action"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setPointed(undefined)
            setEntered(null)
          }}
          onKeyDown={handleKey}
        />
        <IconButton label="Close" onClick={onClose}>
          <Icon name="close" size={24} />
        </IconButton>
      </div>
      <PaletteList
        id={id}
        groups={groups}
        active={active}
        isLate={isLate}
        onPoint={setPointed}
        onChoose={handleChoose}
      />
      <PaletteNotes term={term} found={found} count={items.length} searchable={kinds} onRetry={handleRetry} />
    </Dialog>
  )
}
