import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'
import { Button } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Dialog } from './Dialog.tsx'
import css from './KeyOnceDialog.module.css'

type Props = {
  title: string
  /** What the key is for, and what has ended with it. */
  children: ReactNode
  secret: string
  onClose: () => void
}

/** A key that is shown this once: neither Escape nor a click beside it closes the dialog. */
export function KeyOnceDialog({ title, children, secret, onClose }: Props) {
  const id = useId()
  return (
    <Dialog open maxWidth="sm" fullWidth aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`}>
      <DialogTitle id={`${id}-title`}>{title}</DialogTitle>
      <DialogContent>
        <div id={`${id}-text`} className={css['words']}>
          {children}
        </div>
        <div className={css['secret']}>
          <code>{secret}</code>
          <CopyButton text={secret} label="Copy the key" />
        </div>
        <p className={css['warning']}>Copy the key now and keep it safe. You will not see it again.</p>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          I have stored the key
        </Button>
      </DialogActions>
    </Dialog>
  )
}
