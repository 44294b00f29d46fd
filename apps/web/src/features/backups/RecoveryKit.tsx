import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import css from './kit.module.css'

type Props = { secrets_key: string; backup_key: string; key_id: string; command: string; onClose: () => void }

/** Shown this once: neither Escape nor a click beside it closes it. */
export function RecoveryKit({ secrets_key, backup_key, key_id, command, onClose }: Props) {
  const id = useId()
  return (
    <Dialog open maxWidth="sm" fullWidth aria-labelledby={`${id}-title`}>
      <DialogTitle id={`${id}-title`}>Recovery kit of Agency Console</DialogTitle>
      <DialogContent className={css['kit']}>
        <p>
          Store this page away from the server. With the page and a backup file, the console can be restored on a fresh
          machine with Node.js.
        </p>
        <dl>
          <dt>SECRETS_KEY</dt>
          <dd>
            <code>{secrets_key}</code>
          </dd>
          <dt>Backup key ({key_id})</dt>
          <dd>
            <code>{backup_key}</code>
          </dd>
          <dt>Restore</dt>
          <dd>
            <code>{command}</code>
            <p>Run the command in the console’s folder and enter both keys. Then start the console with npm start.</p>
          </dd>
        </dl>
      </DialogContent>
      <DialogActions className={css['actions']}>
        <Button onClick={onClose}>I printed the page</Button>
        <Button variant="contained" onClick={() => window.print()}>
          Print
        </Button>
      </DialogActions>
    </Dialog>
  )
}
