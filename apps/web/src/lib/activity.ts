import * as auth from '@agency/contract/descriptors/auth'
import { call, newId } from './api.ts'
import {
  activityKinds,
  type IdleEvent,
  type IdleLimits,
  type IdlePhase,
  type IdleState,
  phaseOf,
  secondsLeft,
  startIdle,
  step,
} from './idle.ts'
import { load, save } from './storage.ts'

export type IdleView = { phase: IdlePhase; secondsLeft: number }
type Message = { activityAt: number } | { heartbeatAt: number }

export type ActivityTracker = {
  view: () => IdleView
  subscribe: (listener: () => void) => () => void
  continueSession: () => void
  stop: () => void
}

type Options = { limits: IdleLimits; onExpire: () => void; now?: () => number }

let current: (() => IdleView) | undefined

/** Whether somebody is at work: not while the idle warning shows. */
export function isSessionActive(): boolean {
  return current === undefined || current().phase === 'active'
}

const calm: IdleView = { phase: 'active', secondsLeft: 0 }

/** Follows activity in this tab and, through a channel and the storage, in all others. */
export function trackActivity({ limits, onExpire, now = Date.now }: Options): ActivityTracker {
  const tab = newId()
  const channel = new BroadcastChannel('agency.activity')
  const listeners = new Set<() => void>()
  let state: IdleState = { ...startIdle(now(), load('lastActivity')), hidden: document.hidden }
  state = { ...state, lastHeartbeatAt: load('lastHeartbeat') ?? 0 }
  let view = calm

  const dispatch = (event: IdleEvent) => {
    const [next, effects] = step(state, event, limits)
    state = next
    for (const effect of effects) {
      if (effect === 'share') share({ activityAt: state.lastActivityAt })
      else if (effect === 'heartbeat') sendHeartbeat(state.lastHeartbeatAt)
      else onExpire()
    }
    refresh()
  }

  const share = (message: Message) => {
    channel.postMessage(message)
    if ('activityAt' in message) save('lastActivity', message.activityAt)
    else save('lastHeartbeat', message.heartbeatAt)
  }

  const sendHeartbeat = (at: number) => {
    share({ heartbeatAt: at })
    // A lost heartbeat is followed by the next one; a refused key is handled where keys are.
    call(auth.heartbeat, { body: { tab } }).catch(() => {})
  }

  const tellServer = (visibility: 'visible' | 'hidden' | 'closed') => {
    call(auth.reportVisibility, { body: { tab, state: visibility } }, { keepalive: true }).catch(() => {})
  }

  const refresh = () => {
    const at = now()
    const phase = phaseOf(state, at, limits)
    const next = phase === 'warning' ? { phase, secondsLeft: secondsLeft(state, at, limits) } : { ...calm, phase }
    if (next.phase === view.phase && next.secondsLeft === view.secondsLeft) return
    view = next
    for (const listener of listeners) listener()
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('activityAt' in data) dispatch({ type: 'shared', activityAt: data.activityAt, at: now() })
    else dispatch({ type: 'shared-heartbeat', sentAt: data.heartbeatAt })
  }

  const stopListening = listen({
    onInput: (kind) => dispatch({ type: 'input', kind, at: now() }),
    onVisibility: (hidden) => {
      dispatch({ type: hidden ? 'hide' : 'show', at: now() })
      tellServer(hidden ? 'hidden' : 'visible')
    },
    onClose: () => tellServer('closed'),
  })
  const ticker = setInterval(() => dispatch({ type: 'tick', at: now() }), 1000)

  const readView = () => view
  current = readView
  return {
    view: readView,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    continueSession: () => dispatch({ type: 'continue', at: now() }),
    stop: () => {
      if (current === readView) current = undefined
      stopListening()
      clearInterval(ticker)
      channel.close()
    },
  }
}

type Listeners = {
  onInput: (kind: (typeof activityKinds)[number]) => void
  onVisibility: (hidden: boolean) => void
  onClose: () => void
}

function listen({ onInput, onVisibility, onClose }: Listeners): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const options = { signal, passive: true, capture: true }
  for (const kind of activityKinds) window.addEventListener(kind, () => onInput(kind), options)
  document.addEventListener('visibilitychange', () => onVisibility(document.hidden), { signal })
  window.addEventListener('pagehide', onClose, { signal })
  // A page kept for the back button was told closed; it is open again.
  window.addEventListener('pageshow', (event) => event.persisted && onVisibility(false), { signal })
  return () => controller.abort()
}
