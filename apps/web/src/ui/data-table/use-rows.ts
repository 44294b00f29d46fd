import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'

type Options = {
  count: number
  onMenu: (index: number, anchor: HTMLElement) => void
  onToggle?: (index: number) => void
}

const keySteps: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index, count) => Math.min(count - 1, index + 1),
  ArrowUp: (index) => Math.max(0, index - 1),
  Home: () => 0,
  End: (_, count) => count - 1,
}

/**
 * One tab stop for all rows: arrows move it, Enter opens (the row's name is a link or button), the menu key opens the row's menu.
 * Handlers sit on the container, so that a row costs none.
 */
export function useRows({ count, onMenu, onToggle }: Options) {
  const [chosen, setActive] = useState(0)
  const active = Math.min(chosen, Math.max(0, count - 1))
  const container = useRef<HTMLElement | null>(null)

  const focusRow = (index: number) => {
    setActive(index)
    const target = container.current?.querySelector<HTMLElement>(`[data-row="${index}"] [data-focus]`)
    target?.focus()
    target?.scrollIntoView?.({ block: 'nearest' })
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    const row = rowOf(event.target)
    if (!row) return
    const index = indexOf(row)
    const step = keySteps[event.key]
    const onCheckbox = event.target instanceof HTMLInputElement
    if (step && !event.ctrlKey && !event.metaKey && !event.altKey) focusRow(step(index, count))
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) onMenu(index, anchorOf(row))
    else if (event.key === ' ' && onToggle && !onCheckbox && !isMenuButton(event.target)) onToggle(index)
    else return
    event.preventDefault()
  }

  // The menu key also fires this event; only the pointer's own keeps the browser's menu.
  const handleContextMenu = (event: MouseEvent) => {
    if (event.button === 0 && event.detail === 0) event.preventDefault()
  }

  const handleClick = (event: MouseEvent) => {
    const row = rowOf(event.target)
    if (!row) return
    const index = indexOf(row)
    if (isMenuButton(event.target)) onMenu(index, anchorOf(row))
    if ((event.target as Element).closest('a, button, input, label, select')) {
      setActive(index)
    } else if (!window.getSelection()?.toString()) {
      row.querySelector<HTMLElement>('[data-open]')?.click()
    }
  }

  return {
    active,
    container,
    handlers: { onKeyDown: handleKeyDown, onClick: handleClick, onContextMenu: handleContextMenu },
  }
}

const rowOf = (target: EventTarget) => (target as Element).closest<HTMLElement>('[data-row]')
const indexOf = (row: HTMLElement) => Number(row.dataset['row'])
const isMenuButton = (target: EventTarget) => (target as Element).closest('[data-menu]') !== null
const anchorOf = (row: HTMLElement) => row.querySelector<HTMLElement>('[data-menu]') ?? row
