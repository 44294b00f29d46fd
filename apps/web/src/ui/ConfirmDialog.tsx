import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from './Button.tsx'
import css from './ConfirmDialog.module.css'
import { Dialog } from './Dialog.tsx'
import { Skeleton } from './Skeleton.tsx'
import { stillLoading } from './unread-preview.ts'

type Props = {
  /** Verb and object: "Refund payment". */
  title: string
  /** What will happen, with figures. */
  consequences?: readonly ReactNode[]
  /** As many of them as are still being loaded: they have their place, so that the buttons keep theirs. */
  awaited?: number
  /** Fields that belong to the act. */
  children?: ReactNode
  /** What will happen follows from the fields: it stands below them, so that they keep their place while it changes. */
  fieldsFirst?: boolean
  /** Repeats verb and amount: "Refund $40.00". */
  confirmLabel: string
  cancelLabel?: string
  destructive?: boolean
  /** Where nothing can be undone: the name that must be typed first. */
  typedName?: string
  pending?: boolean
  /** Why the fields do not allow it yet. */
  blockedReason?: string | undefined
  error?: { message: string; requestId?: string | undefined } | null
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog(props: Props) {
  const { title, consequences = [], children, confirmLabel, cancelLabel = 'Cancel', typedName, pending = false } = props
  const [typed, setTyped] = useState('')
  const [told, setTold] = useState<string>()
  const id = useId()
  const blocked =
    props.blockedReason ?? (typedName && typed.trim() !== typedName ? `Type ${typedName} to confirm` : undefined)

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTold(blocked)
    if (!blocked && !pending) props.onConfirm()
  }

  return (
    <Dialog
      open
      role="alertdialog"
      maxWidth="xs"
      fullWidth
      onClose={pending ? undefined : props.onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <form onSubmit={handleSubmit} noValidate>
        <DialogTitle id={`${id}-title`}>{title}</DialogTitle>
        <DialogContent>
          {props.fieldsFirst ? <div className={css['fields']}>{children}</div> : null}
          <div id={`${id}-text`}>
            <ul className={css['consequences']}>
              {consequences.map((consequence, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
                <li key={index}>{consequence}</li>
              ))}
              {Array.from({ length: props.awaited ?? 0 }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
                <li key={`awaited ${index}`} className={css['awaited']} aria-hidden="true">
                  <Skeleton width="70%" />
                </li>
              ))}
            </ul>
          </div>
          {children && !props.fieldsFirst ? <div className={css['fields']}>{children}</div> : null}
          {typedName ? (
            <TextField
              label={`Type ${typedName} to confirm`}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              disabled={pending}
              autoComplete="off"
              sx={{ mt: 2 }}
            />
          ) : null}
          <DialogProblem reason={told === blocked ? blocked : undefined} error={props.error} />
        </DialogContent>
        <DialogActions>
          <Button onClick={props.onClose} disabled={pending} autoFocus={!children && !typedName}>
            {cancelLabel}
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={props.destructive ? 'error' : 'primary'}
            loading={pending}
            aria-disabled={blocked === stillLoading || undefined}
          >
            {confirmLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function DialogProblem({ reason, error }: { reason: string | undefined; error: Props['error'] }) {
  const text = reason ?? error?.message
  if (!text) return null
  return (
    <div role="alert" className={css['problem']} data-tone={reason ? 'warning' : 'error'}>
      {text}
      {!reason && error?.requestId ? <p className={css['request']}>Request {error.requestId}</p> : null}
    </div>
  )
}
