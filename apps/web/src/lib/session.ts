import { auth, type Permission, type SessionState } from '@agency/contract/descriptors'
import { useSyncExternalStore } from 'react'
import { call, onKeyRefused } from './api.ts'
import { ApiError } from './problems.ts'
import { type LeaveReason, load, onStored, remove, save } from './storage.ts'

export type Session =
  | { phase: 'checking' }
  | { phase: 'unreachable'; error: ApiError }
  | { phase: 'signed-out'; reason: LeaveReason | undefined }
  | { phase: 'signed-in'; state: SessionState }

const listeners = new Set<() => void>()
let session: Session = { phase: 'checking' }

function become(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentSession(): Session {
  return session
}

/** Resolves once it is known whether somebody is signed in. */
export function sessionKnown(): Promise<Session> {
  return new Promise((resolve) => {
    const tell = () => {
      if (session.phase === 'checking') return
      listeners.delete(tell)
      resolve(session)
    }
    listeners.add(tell)
    tell()
  })
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession)
}

/** Who is signed in. Only below the console, which renders for nobody else. */
export function useSessionState(): SessionState {
  const now = useSession()
  if (now.phase !== 'signed-in') throw new Error('Nobody is signed in')
  return now.state
}

/** Why the actor may not do something, or undefined when the actor may. */
export function useDenial(permission: Permission): string | undefined {
  const { actor } = useSessionState()
  return actor.permissions.includes(permission) ? undefined : `Needs the permission ${permission}`
}

/**
 * Takes up the stored key. What the server said of it last time lets the console open at once; the first call then
 * shows whether the key still holds, and `checkSession` asks again as soon as the screen has its data.
 */
export function startSession(): () => void {
  onKeyRefused((key) => {
    if (load('adminKey') === key) leave(session.phase === 'checking' ? 'invalid' : 'ended')
  })
  const stop = onStored('adminKey', takeUp)
  const handleReturn = () => {
    // A frozen tab may have missed the event that its key is gone.
    if (!document.hidden && session.phase === 'signed-in' && !load('adminKey')) takeUp(undefined)
  }
  document.addEventListener('visibilitychange', handleReturn)
  takeUp(load('adminKey'))
  return () => {
    stop()
    document.removeEventListener('visibilitychange', handleReturn)
  }
}

function takeUp(key: string | undefined): void {
  const known = load('session')
  if (!key) become({ phase: 'signed-out', reason: load('leaveReason') })
  else if (known?.key === markOf(key)) become({ phase: 'signed-in', state: known.state })
  else {
    become({ phase: 'checking' })
    void checkSession()
  }
}

/** Asks the server about the stored key. A failure on the way there keeps the key. */
export async function checkSession(): Promise<void> {
  const key = load('adminKey')
  if (!key) return takeUp(undefined)
  try {
    const state = await call(auth.getSession, {}, { key })
    if (load('adminKey') === key) enter(key, state)
  } catch (error) {
    if (session.phase === 'signed-in' || load('adminKey') !== key) return
    if (error instanceof ApiError) become({ phase: 'unreachable', error })
    else throw error
  }
}

export function retryCheck(): Promise<void> {
  become({ phase: 'checking' })
  return checkSession()
}

export async function signIn(adminKey: string): Promise<void> {
  const { session_key, ...state } = await call(auth.login, { body: { key: adminKey } })
  remove('leaveReason', 'lastHeartbeat')
  save('lastActivity', Date.now())
  save('session', { key: markOf(session_key), state })
  save('adminKey', session_key)
  become({ phase: 'signed-in', state })
}

function enter(key: string, state: SessionState): void {
  save('session', { key: markOf(key), state })
  become({ phase: 'signed-in', state })
}

/** Ends the session in all tabs and revokes its key. */
export function signOut(reason: 'signed_out' | 'idle'): void {
  const key = load('adminKey')
  leave(reason)
  // The key is gone from this browser either way; what the server missed ends by its own clock.
  if (key) call(auth.logout, {}, { key, keepalive: true }).catch(() => {})
  if (reason === 'signed_out') window.history.pushState(null, '', '/admin')
}

function leave(reason: LeaveReason): void {
  // Before the key: its removal is what tells the other tabs.
  save('leaveReason', reason)
  remove('adminKey', 'session')
  become({ phase: 'signed-out', reason })
}

// Enough to notice that the stored session belongs to another key.
function markOf(key: string): string {
  return key.slice(-8)
}
