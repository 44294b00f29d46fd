import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { type ActivityTracker, trackActivity } from '../lib/activity.ts'
import { defaultLimits, type IdleLimits } from '../lib/idle.ts'
import { signOut, useSessionState } from '../lib/session.ts'
import { useLive } from './LiveProvider.tsx'

const IdleDialog = lazy(() => import('./IdleDialog.tsx').then((module) => ({ default: module.IdleDialog })))

/** Watches for 25 idle minutes, warns, and signs out after 30. */
export function IdleGuard() {
  const { calm } = useLive()
  return calm ? <Guard /> : null
}

function Guard() {
  const { session } = useSessionState()
  const warnAfterMs = session ? session.warn_after_s * 1000 : defaultLimits.warnAfterMs
  const logoutAfterMs = session ? session.idle_limit_s * 1000 : defaultLimits.logoutAfterMs
  const tracker = useTracker({ ...defaultLimits, warnAfterMs, logoutAfterMs })
  return tracker ? <Warning tracker={tracker} /> : null
}

function useTracker(limits: IdleLimits): ActivityTracker | undefined {
  const { warnAfterMs, logoutAfterMs, heartbeatEveryMs } = limits
  const [tracker, setTracker] = useState<ActivityTracker>()
  useEffect(() => {
    const made = trackActivity({
      limits: { warnAfterMs, logoutAfterMs, heartbeatEveryMs },
      onExpire: () => signOut('idle'),
    })
    setTracker(made)
    return made.stop
  }, [warnAfterMs, logoutAfterMs, heartbeatEveryMs])
  return tracker
}

function Warning({ tracker }: { tracker: ActivityTracker }) {
  const { phase, secondsLeft } = useSyncExternalStore(tracker.subscribe, tracker.view)
  if (phase !== 'warning') return null
  return (
    <Suspense>
      <IdleDialog secondsLeft={secondsLeft} onContinue={tracker.continueSession} />
    </Suspense>
  )
}
