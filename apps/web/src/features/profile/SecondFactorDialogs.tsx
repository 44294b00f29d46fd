import * as auth from '@agency/contract/descriptors/auth'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId, useState } from 'react'
import { call, type ResponseOf } from '../../lib/api.ts'
import { checkSession } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { Enrolment } from './Enrolment.tsx'
import { endedText } from './ended-text.ts'
import { PasswordDialog } from './PasswordDialog.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

export type FactorAct = 'begin' | 'renew' | 'remove'
type Begun = ResponseOf<typeof auth.beginEnrolment>

const words: Record<FactorAct, { title: string; intro: string; submitLabel: string }> = {
  begin: {
    title: 'Turn on two-step verification',
    intro: 'You need an authenticator app on your phone. Your other sessions will end.',
    submitLabel: 'Continue',
  },
  renew: {
    title: 'New recovery codes',
    intro: 'Your current codes stop working, and your other sessions end.',
    submitLabel: 'Create new codes',
  },
  remove: {
    title: 'Turn off two-step verification',
    intro: 'Your password alone will sign you in. Your recovery codes stop working, and your other sessions end.',
    submitLabel: 'Turn off',
  },
}

export function SecondFactorDialogs({ act, onClose }: { act: FactorAct; onClose: () => void }) {
  const [begun, setBegun] = useState<Begun>()
  const [codes, setCodes] = useState<readonly string[]>()
  const toast = useToast()

  const handlePassword = async (password: string, code: string) => {
    if (act === 'begin') return setBegun(await call(auth.beginEnrolment, { body: { password } }))
    const body = { password, code }
    if (act === 'renew') return setCodes((await call(auth.renewRecoveryCodes, { body })).recovery_codes)
    const { ended_sessions } = await call(auth.removeSecondFactor, { body })
    await checkSession()
    toast.success(`Two-step verification is off. ${endedText(ended_sessions)}`)
    onClose()
  }
  const handleSaved = () => {
    // How many codes are left, and whether the second factor is on, is part of the session.
    void checkSession()
    onClose()
  }

  if (codes) {
    return (
      <PlainDialog title="Save your recovery codes" action={{ label: 'I have saved them', onClick: handleSaved }}>
        <RecoveryCodes codes={codes} />
      </PlainDialog>
    )
  }
  if (begun) {
    return (
      <PlainDialog title="Turn on two-step verification" onClose={onClose}>
        <Enrolment {...begun} onEnrolled={setCodes} />
      </PlainDialog>
    )
  }
  return <PasswordDialog {...words[act]} withCode={act !== 'begin'} onSubmit={handlePassword} onClose={onClose} />
}

type PlainProps = {
  title: string
  children: ReactNode
  /** The only way out, where closing by Escape would lose something. */
  action?: { label: string; onClick: () => void }
  onClose?: () => void
}

function PlainDialog({ title, children, action, onClose }: PlainProps) {
  const id = useId()
  return (
    <Dialog open maxWidth="xs" fullWidth onClose={onClose} aria-labelledby={id}>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent>{children}</DialogContent>
      <DialogActions>
        {onClose ? <Button onClick={onClose}>Cancel</Button> : null}
        {action ? (
          <Button variant="contained" onClick={action.onClick} autoFocus>
            {action.label}
          </Button>
        ) : null}
      </DialogActions>
    </Dialog>
  )
}
