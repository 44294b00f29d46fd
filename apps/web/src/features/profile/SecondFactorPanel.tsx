import type { SessionState } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './profile.module.css'
import type { FactorAct } from './SecondFactorDialogs.tsx'

const Dialogs = lazy(() => import('./SecondFactorDialogs.tsx').then((m) => ({ default: m.SecondFactorDialogs })))

const fewCodes = 3

export function SecondFactorPanel({ user }: { user: NonNullable<SessionState['user']> }) {
  const { enabled, required, recovery_codes_left: left } = user.second_factor
  const [act, setAct] = useState<FactorAct>()
  return (
    <Panel
      title="Two-step verification"
      actions={<StatusChip tone={enabled ? 'success' : 'neutral'} label={enabled ? 'On' : 'Off'} />}
    >
      {enabled ? (
        <>
          <p className={css['muted']}>
            {left === 0
              ? 'No recovery codes left. Create new ones, in case you lose your phone.'
              : `${formatCount(left)} of 10 recovery codes left.${left <= fewCodes ? ' Create new ones soon.' : ''}`}
          </p>
          <div className={css['row']}>
            <Button variant="outlined" onClick={() => setAct('renew')}>
              New recovery codes
            </Button>
            <ReasonedButton
              variant="outlined"
              color="error"
              blocked={required ? `The role ${user.role_name} requires two-step verification` : undefined}
              onClick={() => setAct('remove')}
            >
              Turn off
            </ReasonedButton>
          </div>
        </>
      ) : (
        <div className={css['line']}>
          <p className={css['muted']}>
            Sign in with your password and a code from your phone. A stolen password is not enough.
          </p>
          <Button variant="contained" onClick={() => setAct('begin')}>
            Turn on
          </Button>
        </div>
      )}
      {act ? (
        <Suspense>
          <Dialogs act={act} onClose={() => setAct(undefined)} />
        </Suspense>
      ) : null}
    </Panel>
  )
}
