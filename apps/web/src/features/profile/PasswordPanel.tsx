import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import css from './profile.module.css'

const ChangePasswordDialog = lazy(() =>
  import('./ChangePasswordDialog.tsx').then((module) => ({ default: module.ChangePasswordDialog })),
)

export function PasswordPanel() {
  const [open, setOpen] = useState(false)
  return (
    <Panel title="Password">
      <div className={css['line']}>
        <p className={css['muted']}>Changing your password ends your other sessions.</p>
        <Button variant="outlined" onClick={() => setOpen(true)}>
          Change password
        </Button>
      </div>
      {open ? (
        <Suspense>
          <ChangePasswordDialog onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </Panel>
  )
}
