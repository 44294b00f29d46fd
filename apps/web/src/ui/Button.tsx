import type { ButtonHTMLAttributes, ReactNode } from 'react'
import css from './Button.module.css'

type Look = {
  variant?: 'text' | 'outlined' | 'contained'
  size?: 'small' | 'medium' | 'large'
  color?: 'primary' | 'error' | 'inherit'
  startIcon?: ReactNode
  endIcon?: ReactNode
}

type Props = Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'color' | 'className' | 'style'> & {
    /** A link that looks like a button; `external` opens it in a new tab. */
    href?: string
    external?: boolean
    /** What was pressed is under way: it cannot be pressed again. The text names it for screen readers. */
    loading?: boolean | string
  }

/** Material's button, as plain CSS: it is on every first screen, where the library would cost a fifth of the script. */
export function Button(props: Props) {
  const { variant = 'text', size = 'medium', color = 'primary', startIcon, endIcon, children, ...rest } = props
  const { href, external = false, loading = false, type = 'button', disabled, ...button } = rest
  const look = { className: css['button'], 'data-variant': variant, 'data-size': size, 'data-color': color }
  const content = (
    <>
      {loading ? <Spinner label={typeof loading === 'string' ? loading : 'Loading'} /> : startIcon}
      {children}
      {endIcon}
    </>
  )
  if (href !== undefined) {
    return (
      <a href={href} {...look} {...(external ? { target: '_blank', rel: 'noreferrer' } : {})}>
        {content}
      </a>
    )
  }
  return (
    <button {...button} {...look} type={type} disabled={disabled || loading !== false}>
      {content}
    </button>
  )
}

function Spinner({ label }: { label: string }) {
  return <span className={css['spinner']} role="progressbar" aria-label={label} />
}
