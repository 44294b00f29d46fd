import type { ReactNode } from 'react'

type Props = {
  className: string | undefined
  children: ReactNode
  href?: string
  onOpen?: () => void
  active: boolean
  title?: string
}

/** The name of a row's thing: what opens it, and what the keyboard's focus rests on. */
export function RowName({ className, children, href, onOpen, active, title }: Props) {
  const shared = { className, title, tabIndex: active ? 0 : -1, 'data-focus': '', 'data-open': '' }
  if (href !== undefined) {
    return (
      <a href={href} {...shared}>
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

export function RowMenuButton({ className, name, active, isStop }: MenuProps) {
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
