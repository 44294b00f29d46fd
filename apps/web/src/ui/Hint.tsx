import { type ReactNode, useId, useRef, useState } from 'react'
import css from './Hint.module.css'

type Props = { children: ReactNode; content: ReactNode }

/**
 * A tooltip for figures, reached by pointer and by keyboard, in the browser's top layer.
 * Hand-written because a positioning library would cost the first screen 8 KiB.
 */
export function Hint({ children, content }: Props) {
  const id = useId()
  const anchor = useRef<HTMLButtonElement>(null)
  const bubble = useRef<HTMLSpanElement>(null)
  const [open, setOpen] = useState(false)

  const show = () => {
    setOpen(true)
    bubble.current?.showPopover?.()
    if (anchor.current && bubble.current) place(bubble.current, anchor.current.getBoundingClientRect())
  }
  const hide = () => {
    if (open) bubble.current?.hidePopover?.()
    setOpen(false)
  }

  return (
    <>
      <button
        type="button"
        ref={anchor}
        className={css['anchor']}
        aria-describedby={id}
        onPointerEnter={show}
        onPointerLeave={hide}
        onFocus={show}
        onBlur={hide}
        onKeyDown={(event) => event.key === 'Escape' && hide()}
      >
        {children}
      </button>
      <span ref={bubble} id={id} role="tooltip" popover="manual" className={css['bubble']}>
        {content}
      </span>
    </>
  )
}

function place(bubble: HTMLElement, target: DOMRect): void {
  const { width, height } = bubble.getBoundingClientRect()
  const left = Math.min(Math.max(8, target.left), document.documentElement.clientWidth - width - 8)
  const below = target.bottom + 6
  const top = below + height > window.innerHeight - 8 ? target.top - height - 6 : below
  bubble.style.left = `${left}px`
  bubble.style.top = `${Math.max(8, top)}px`
}
