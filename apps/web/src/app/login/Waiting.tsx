import css from './login.module.css'

/** Stays invisible for the short waits. */
export function Waiting({ text }: { text: string }) {
  return (
    <div className={css['waiting']} role="status">
      <span className={css['spinner']} />
      {text}
    </div>
  )
}
