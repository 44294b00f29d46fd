import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { formatCountdown } from '../lib/format.ts'
import { toneOf } from '../lib/idle.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Spoken } from '../ui/Spoken.tsx'
import css from './IdleDialog.module.css'

type Props = { secondsLeft: number; onContinue: () => void }

export function IdleDialog({ secondsLeft, onContinue }: Props) {
  const tone = toneOf(secondsLeft)
  return (
    <Dialog
      open
      isUrgent
      role="alertdialog"
      maxWidth="xs"
      fullWidth
      aria-labelledby="idle-title"
      aria-describedby="idle-text"
    >
      <DialogTitle id="idle-title">Session about to end</DialogTitle>
      <DialogContent>
        <p id="idle-text">
          There was no activity for a while. All tabs of this browser are signed out when the countdown ends.
        </p>
        <p className={css['left']} data-tone={tone} role="timer">
          {formatCountdown(secondsLeft)}
        </p>
        <div className={css['track']}>
          <div className={css['bar']} data-tone={tone} style={{ width: `${Math.min(100, secondsLeft / 3)}%` }} />
        </div>
        <Spoken as="p" role="status">
          {secondsLeft % 60 === 0 ? `${secondsLeft / 60} minutes left` : null}
        </Spoken>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onContinue} autoFocus>
          Continue Session
        </Button>
      </DialogActions>
    </Dialog>
  )
}
