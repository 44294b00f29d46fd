import type { ReactNode } from 'react'

type Props = {
  className: string | undefined
  children: ReactNode
  href?: string | undefined
  onOpen?: (() => void) | undefined
  active: boolean
  title?: string | undefined
}

// Elements, not components: a table shows a hundred of each.

/** The name of a row's thing: what opens it, and what the keyboard's focus rests on. */
export function rowName({ className, children, href, onOpen, active, title }: Props) {
  const shared = { className, title, tabIndex: active ? 0 : -1, 'data-focus': '', 'data-open': '' }
  if (href !== undefined) {
    // What is not a page of the console opens beside it.
    const away = /^https?:/.test(href) ? { target: '_blank', rel: 'noopener noreferrer' } : {}
    return (
      <a href={href} {...shared} {...away}>
        {children}
      </a>
    )
  }
  return (
    <button type="button" onClick={onOpen} {...shared}>
      {children}
    </button>
  )
}

type MenuProps = { className: string | undefined; name: string; active: boolean; isStop: boolean }

export function rowMenuButton({ className, name, active, isStop }: MenuProps) {
  return (
    <button
      type="button"
      className={className}
      aria-label={`Actions for ${name}`}
      aria-haspopup="menu"
      tabIndex={active ? 0 : -1}
      data-menu=""
      {...(isStop ? { 'data-focus': '' } : {})}
    />
  )
}
