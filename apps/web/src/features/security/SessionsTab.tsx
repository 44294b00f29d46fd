import type { LiveSession } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import type { Action } from '../../ui/action.ts'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { sessionsList } from './security-search.ts'
import { sessionColumns } from './session-columns.tsx'

const EndSessionDialog = lazy(() => import('./EndSessionDialogs.tsx').then((m) => ({ default: m.EndSessionDialog })))
const EndOthersDialog = lazy(() => import('./EndSessionDialogs.tsx').then((m) => ({ default: m.EndOthersDialog })))

const nameOf = (session: LiveSession) => `${session.actor_name}, ${session.device}`
const unit = ['live session', 'live sessions'] as const

export function SessionsTab() {
  const screen = useListScreen(sessionsList)
  const [ending, setEnding] = useState<LiveSession | 'others'>()
  const others = (screen.total ?? 0) - 1
  const close = () => setEnding(undefined)
  const actionsOf = (session: LiveSession): readonly Action[] => [
    {
      label: 'Revoke',
      destructive: true,
      disabledReason: session.is_mine ? 'Your current session: log out instead' : undefined,
      onSelect: () => setEnding(session),
    },
  ]
  return (
    <>
      <ListScreen
        screen={screen}
        label="Sessions"
        unit={unit}
        many="sessions"
        columns={sessionColumns}
        nameOf={nameOf}
        actionsOf={actionsOf}
        skeletonRows={5}
        toolbar={
          <ReasonedButton
            variant="outlined"
            color="error"
            blocked={screen.rows && others < 1 ? 'No other sessions' : undefined}
            disabled={!screen.rows}
            onClick={() => setEnding('others')}
          >
            Sign out all others
          </ReasonedButton>
        }
        empty="Nobody is signed in."
      />
      <Suspense>
        {ending === 'others' ? <EndOthersDialog others={others} onClose={close} /> : null}
        {ending && ending !== 'others' ? <EndSessionDialog session={ending} onClose={close} /> : null}
      </Suspense>
    </>
  )
}
