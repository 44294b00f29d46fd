import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { formatDateTime } from '../../lib/format-time.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import css from './admin-users.module.css'
import type { Done } from './way-in.ts'

/** What an administrator has to hand over, shown this once: neither Escape nor a click beside it closes the dialog. */
export function HandoverDialog({ title, answer, temporaryPassword, onClose }: Done & { onClose: () => void }) {
  const { user, mail, link, link_expires_at: until } = answer
  const id = useId()
  return (
    <Dialog open maxWidth="sm" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent>
        <div className={css['handover']}>
          <p>
            <bdi>{user.name}</bdi> (<bdi>{user.email}</bdi>), {user.role_name}
          </p>
          {link ? (
            <>
              <p>
                This link works once{until ? `, until ${formatDateTime(until)}` : ''}, and is shown only once. Anyone
                with the link can choose the password.
              </p>
              <Secret text={wholeAddress(link)} label="Copy the link" />
            </>
          ) : null}
          {temporaryPassword ? (
            <>
              <p>Share this temporary password, but not by email. It works for 7 days and is shown only once.</p>
              <Secret text={temporaryPassword} label="Copy the password" />
            </>
          ) : null}
          <MailLine mail={mail} email={user.email} isPath={link?.startsWith('/') ?? false} />
        </div>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Secret({ text, label }: { text: string; label: string }) {
  return (
    <div className={css['secret']}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  )
}

type MailProps = {
  mail: Done['answer']['mail']
  email: string
  /** The console does not know its own address, so it mails no links. */
  isPath: boolean
}

function MailLine({ mail, email, isPath }: MailProps) {
  if (mail === 'queued') {
    return (
      <p>
        An email is on its way to <bdi>{email}</bdi>.
      </p>
    )
  }
  if (mail === 'none') {
    return isPath ? (
      <p>
        No email was sent. Set <a href={paths.config}>"Address of this console"</a> first, or share the link yourself.
      </p>
    ) : (
      <p>No email was sent.</p>
    )
  }
  return (
    <p>
      No mail server is set up. The unsent email is in the <a href={paths.outbox}>outbox</a>.
    </p>
  )
}

/** Where the console does not know its own address, the server answers the path alone. */
function wholeAddress(link: string): string {
  return link.startsWith('/') ? window.location.origin + link : link
}
