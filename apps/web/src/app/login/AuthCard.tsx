import { type ReactNode, useEffect } from 'react'
import css from './login.module.css'

type Props = {
  heading: string
  line?: ReactNode
  children: ReactNode
  /** Below the card: the ways out. */
  foot?: ReactNode
}

/** The one card of a screen outside of the console. */
export function AuthCard({ heading, line, children, foot }: Props) {
  useEffect(() => {
    document.title = `${heading} · Agency Console`
  }, [heading])
  return (
    <main className={css['page']}>
      <div className={css['product']}>
        <img src="/favicon.svg" width={24} height={24} alt="" />
        Agency Console
      </div>
      <div className={css['card']}>
        <div>
          <h1 className={css['heading']}>{heading}</h1>
          {line ? <p className={css['line']}>{line}</p> : null}
        </div>
        {children}
      </div>
      {foot ? <div className={css['foot']}>{foot}</div> : null}
    </main>
  )
}

/** What was refused, or what is good to know. */
export function AuthMessage({
  text,
  detail,
  tone = 'error',
}: {
  text: string
  detail?: string
  tone?: 'error' | 'info'
}) {
  return (
    <div role={tone === 'error' ? 'alert' : 'status'} id="login-error" className={css['message']} data-tone={tone}>
      {text}
      {detail ? <p className={css['small']}>{detail}</p> : null}
    </div>
  )
}
