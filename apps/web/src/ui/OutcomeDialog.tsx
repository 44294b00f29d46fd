import Alert from '@mui/material/Alert'
import CircularProgress from '@mui/material/CircularProgress'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

type Props = {
  title: string
  tone: 'success' | 'info' | 'warning' | 'error'
  children: ReactNode
  /** The outcome is still being looked for. */
  following?: boolean
  onClose: () => void
}

/** What became of an act that has been sent. */
export function OutcomeDialog({ title, tone, children, following = false, onClose }: Props) {
  const id = useId()
  return (
    <Dialog open role="alertdialog" maxWidth="xs" fullWidth onClose={onClose} aria-labelledby={id}>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent>
        <Alert
          severity={tone}
          role="status"
          {...(following ? { icon: <CircularProgress size={20} color="inherit" aria-label="Checking" /> } : {})}
        >
          {children}
        </Alert>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type UnknownProps = {
  title: string
  /** What may have happened: "$40.00 was refunded". */
  what: string
  /** Where the outcome can be read later. */
  where: string
  followFailed: boolean
  onClose: () => void
}

export function UnknownOutcome({ title, what, where, followFailed, onClose }: UnknownProps) {
  return (
    <OutcomeDialog title={title} tone="warning" following onClose={onClose}>
      <p>The answer was lost. Checking whether {what}.</p>
      <p>
        {followFailed
          ? 'The console does not answer. Retrying every few seconds.'
          : 'This takes a few seconds. Please do not try again.'}{' '}
        You can close this dialog: find the outcome in {where}.
      </p>
    </OutcomeDialog>
  )
}
