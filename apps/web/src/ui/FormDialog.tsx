import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type FormEvent, type ReactNode, useId } from 'react'
import { phone, useMedia } from '../lib/use-media.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import css from './FormDialog.module.css'
import { ReasonedButton } from './ReasonedButton.tsx'

type Props = {
  title: string
  intro?: ReactNode
  children: ReactNode
  submitLabel: string
  pending?: boolean
  /** What was refused and belongs to no field. */
  error?: { message: string; requestId?: string | undefined } | null | undefined
  wide?: boolean
  /** Why it cannot be sent now. */
  blocked?: string | undefined
  onSubmit: () => void
  onClose: () => void
}

/** Fields that are sent together. */
export function FormDialog(props: Props) {
  const {
    title,
    intro,
    children,
    submitLabel,
    pending = false,
    error,
    wide = false,
    blocked,
    onSubmit,
    onClose,
  } = props
  const id = useId()
  const fullScreen = useMedia(phone) && wide
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    // Portals bubble through React's tree: a form that opened this dialog must not be sent too.
    event.stopPropagation()
    if (!pending && blocked === undefined) onSubmit()
  }
  return (
    <Dialog
      open
      maxWidth={wide ? 'md' : 'xs'}
      fullWidth
      fullScreen={fullScreen}
      onClose={pending ? undefined : onClose}
      aria-labelledby={id}
    >
      <form className={css['form']} onSubmit={handleSubmit} noValidate>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          {intro ? <div className={css['intro']}>{intro}</div> : null}
          <div className={css['fields']}>{children}</div>
          {error ? (
            <div role="alert" className={css['problem']}>
              {error.message || 'An unexpected error occurred'}
              {error.requestId ? <p className={css['request']}>Request {error.requestId}</p> : null}
            </div>
          ) : null}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          {blocked === undefined ? (
            <Button type="submit" variant="contained" loading={pending}>
              {submitLabel}
            </Button>
          ) : (
            <ReasonedButton type="submit" variant="contained" blocked={blocked}>
              {submitLabel}
            </ReasonedButton>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}
