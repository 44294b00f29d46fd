import { type ReactNode, useEffect, useRef } from 'react'
import css from './Popup.module.css'

type Props = {
  /** The button that opened it; the popup hangs below it and gives the focus back to it. */
  anchor: HTMLElement
  label: string
  children: ReactNode
  /** For a table rather than a list. */
  wide?: boolean
  /** For a month. */
  narrow?: boolean
  onClose: () => void
}

/** A panel in the browser's own top layer, below its button or above it. Escape or a click elsewhere closes it. */
export function Popup({ anchor, label, children, wide = false, narrow = false, onClose }: Props) {
  const popup = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })

  useEffect(() => {
    const element = popup.current
    if (!element) return
    const handleToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') close.current()
    }
    const hang = () => place(element, anchor)
    element.addEventListener('toggle', handleToggle)
    window.addEventListener('resize', hang)
    element.showPopover?.()
    hang()
    ;(element.querySelector<HTMLElement>('[data-first-focus]') ?? element).focus()
    return () => {
      element.removeEventListener('toggle', handleToggle)
      window.removeEventListener('resize', hang)
      // The browser forgets where the focus was when a popup is taken away while it is open.
      if (document.activeElement === document.body) anchor.focus({ preventScroll: true })
    }
  }, [anchor])

  return (
    <div
      ref={popup}
      role="dialog"
      aria-label={label}
      popover="auto"
      tabIndex={-1}
      className={css['popup']}
      data-size={wide ? 'wide' : narrow ? 'narrow' : undefined}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      {children}
    </div>
  )
}

function place(element: HTMLElement, anchor: HTMLElement): void {
  const target = anchor.getBoundingClientRect()
  const width = element.offsetWidth
  element.style.left = `${Math.max(8, Math.min(target.right - width, document.documentElement.clientWidth - width - 8))}px`
  const below = target.bottom + 8
  const above = target.top - 8 - element.offsetHeight
  const fitsBelow = below + element.offsetHeight <= window.innerHeight - 8
  element.style.top = `${fitsBelow || above < 8 ? below : above}px`
}
