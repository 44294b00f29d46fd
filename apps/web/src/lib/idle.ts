export type IdleLimits = { warnAfterMs: number; logoutAfterMs: number; heartbeatEveryMs: number }

export const defaultLimits: IdleLimits = {
  warnAfterMs: 25 * 60_000,
  logoutAfterMs: 30 * 60_000,
  heartbeatEveryMs: 60_000,
}

export const activityKinds = ['mousedown', 'mousemove', 'keydown', 'scroll', 'touchstart', 'click'] as const
export type ActivityKind = (typeof activityKinds)[number]

/** All times are wall-clock milliseconds, so that a slept or throttled timer decides right when it wakes. */
export type IdleState = {
  /** The newest activity in any tab. */
  lastActivityAt: number
  /** The newest activity in this tab: the tab in which it happened tells the server. */
  ownActivityAt: number
  lastHeartbeatAt: number
  lastSharedAt: number
  hidden: boolean
}

export type IdleEvent =
  | { type: 'input'; kind: ActivityKind; at: number }
  | { type: 'continue'; at: number }
  | { type: 'shared'; activityAt: number; at: number }
  | { type: 'shared-heartbeat'; sentAt: number }
  | { type: 'hide'; at: number }
  | { type: 'show'; at: number }
  | { type: 'tick'; at: number }

export type IdleEffect = 'share' | 'heartbeat' | 'expire'
export type IdlePhase = 'active' | 'warning' | 'expired' | 'paused'

const shareEveryMs = 1000

export function startIdle(at: number, sharedActivityAt = 0): IdleState {
  const lastActivityAt = Math.max(at, Math.min(sharedActivityAt, at))
  return { lastActivityAt, ownActivityAt: at, lastHeartbeatAt: 0, lastSharedAt: 0, hidden: false }
}

export function phaseOf(state: IdleState, at: number, limits: IdleLimits): IdlePhase {
  if (state.hidden) return 'paused'
  const idle = at - state.lastActivityAt
  if (idle >= limits.logoutAfterMs) return 'expired'
  return idle >= limits.warnAfterMs ? 'warning' : 'active'
}

/** Whole seconds until the logout. */
export function secondsLeft(state: IdleState, at: number, limits: IdleLimits): number {
  return Math.max(0, Math.ceil((state.lastActivityAt + limits.logoutAfterMs - at) / 1000))
}

export type CountdownTone = 'success' | 'warning' | 'error'

export function toneOf(seconds: number): CountdownTone {
  if (seconds > 180) return 'success'
  return seconds > 60 ? 'warning' : 'error'
}

export function step(state: IdleState, event: IdleEvent, limits: IdleLimits): [IdleState, IdleEffect[]] {
  switch (event.type) {
    case 'shared':
      // Another tab's clock is this one's, but a message may arrive late: time never runs backwards.
      return [{ ...state, lastActivityAt: Math.max(state.lastActivityAt, Math.min(event.activityAt, event.at)) }, []]
    case 'shared-heartbeat':
      return [{ ...state, lastHeartbeatAt: Math.max(state.lastHeartbeatAt, event.sentAt) }, []]
    case 'hide':
      return [{ ...state, hidden: true }, []]
    case 'show':
      return state.hidden ? act({ ...state, hidden: false }, event.at, limits) : [state, []]
    default:
      return whileVisible(state, event, limits)
  }
}

function whileVisible(
  state: IdleState,
  event: Extract<IdleEvent, { type: 'input' | 'continue' | 'tick' }>,
  limits: IdleLimits,
): [IdleState, IdleEffect[]] {
  const phase = phaseOf(state, event.at, limits)
  // The first thing after a sleep may be the movement that woke the machine; it comes too late.
  if (phase === 'expired') return [state, ['expire']]
  if (event.type === 'tick') return beat(state, event.at, limits)
  if (phase === 'warning' && event.type === 'input' && event.kind === 'mousemove') return [state, []]
  return act(state, event.at, limits, phase === 'warning')
}

function act(state: IdleState, at: number, limits: IdleLimits, urgent = true): [IdleState, IdleEffect[]] {
  const share = urgent || at - state.lastSharedAt >= shareEveryMs
  const next = { ...state, lastActivityAt: at, ownActivityAt: at, lastSharedAt: share ? at : state.lastSharedAt }
  const [beaten, effects] = beat(next, at, limits)
  return [beaten, share ? ['share', ...effects] : effects]
}

// Also on ticks: activity within a minute of the last heartbeat is told when that minute is over.
function beat(state: IdleState, at: number, limits: IdleLimits): [IdleState, IdleEffect[]] {
  const due = state.ownActivityAt > state.lastHeartbeatAt && at - state.lastHeartbeatAt >= limits.heartbeatEveryMs
  return due ? [{ ...state, lastHeartbeatAt: at }, ['heartbeat']] : [state, []]
}
