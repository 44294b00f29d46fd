import CircularProgress from '@mui/material/CircularProgress'
import css from './login.module.css'

/** Stays invisible for the short waits. */
export function Waiting({ text }: { text: string }) {
  return (
    <div className={css['waiting']} role="status">
      <CircularProgress size={28} aria-label={text} />
      <span>{text}</span>
    </div>
  )
}
