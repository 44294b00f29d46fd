import * as auth from '@agency/contract/descriptors/auth'
import type { Access, SessionState, Theme } from '@agency/contract/types'
import { useSyncExternalStore } from 'react'
import { call, type Endpoint, onKeyForbidden, onKeyRefused, type ResponseOf } from './api.ts'
import { setTimeZone } from './format-time.ts'
import { ApiError } from './problems.ts'
import { revoke } from './revocation.ts'
import { type LeaveReason, load, onStored, remove, save } from './storage.ts'
import { storedSession, storeSession } from './stored-session.ts'
import { chooseTheme } from './theme-choice.ts'

export type Session =
  | { phase: 'checking' }
  | { phase: 'unreachable'; error: ApiError }
  | { phase: 'signed-out'; reason: LeaveReason | undefined }
  /** The key is good for nothing but going on with the sign-in. */
  | { phase: 'incomplete'; state: SessionState }
  | { phase: 'signed-in'; state: SessionState }

type SignedIn = ResponseOf<typeof auth.loginWithEmail>

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

/** Why somebody who holds these permissions may not do something, or undefined when they may. */
export function denialOf(access: Access, held: readonly Access[]): string | undefined {
  if (access === 'any' || access === 'signing_in' || access === 'public' || held.includes(access)) return undefined
  return `Needs the permission ${access}`
}

/** Why the actor may not make this call, or undefined when the actor may. */
export function useDenial({ permission }: Pick<Endpoint, 'permission'>): string | undefined {
  const { actor } = useSessionState()
  return denialOf(permission, actor.permissions)
}

/**
 * Takes up the stored key. What the server said of it last time lets the console open at once; the first call then
 * shows whether the key still holds, and `checkSession` asks again as soon as the screen has its data.
 */
export function startSession(): () => void {
  onKeyRefused((key) => {
    if (load('adminKey') === key) leave(session.phase === 'checking' ? 'invalid' : 'ended')
  })
  onKeyForbidden((key) => {
    // The role was changed, or came to require a second factor: the screen follows.
    if (load('adminKey') === key && session.phase === 'signed-in') void checkOnce()
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
    clearTimeout(again)
    document.removeEventListener('visibilitychange', handleReturn)
  }
}

function takeUp(key: string | undefined): void {
  const known = key && storedSession(key)
  if (!key) become({ phase: 'signed-out', reason: load('leaveReason') })
  else if (known) show(known)
  else become({ phase: 'checking' })
  // Another tab may have gone on with a sign-in that is under way.
  if (key && session.phase !== 'signed-in') void checkSession()
}

function show(state: SessionState): void {
  setTimeZone(state.time_zone ?? null)
  const { user } = state
  const before = 'state' in session ? session.state.user : undefined
  // What is theirs follows them here, once: one that could be changed here only stays. The admin key is nobody's own, and
  // keeps what the browser has.
  if (user?.theme && (before?.id !== user.id || before.theme !== user.theme)) chooseTheme(user.theme)
  become({ phase: state.stage === 'open' ? 'signed-in' : 'incomplete', state })
}

/** What was changed here of the session: an answer that was asked for before is older. */
let changes = 0

/** Asks the server about the stored key. A failure on the way there keeps the key. */
export async function checkSession(): Promise<void> {
  const key = load('adminKey')
  if (!key) return takeUp(undefined)
  try {
    const asked = changes
    const state = await call(auth.getSession, {}, { key })
    // What was chosen meanwhile may not be in this answer.
    if (asked !== changes) return checkSession()
    if (load('adminKey') === key) enter(key, state)
  } catch (error) {
    if (session.phase === 'signed-in' || session.phase === 'incomplete' || load('adminKey') !== key) return
    if (!(error instanceof ApiError)) throw error
    become({ phase: 'unreachable', error })
    checkLater(error)
  }
}

const checkAgainS = 5
let again: ReturnType<typeof setTimeout> | undefined

/** Nobody has to watch for the console's return. */
function checkLater({ retryAfter = checkAgainS }: ApiError): void {
  clearTimeout(again)
  again = setTimeout(() => {
    if (session.phase === 'unreachable') void checkOnce()
  }, retryAfter * 1000)
}

let asking: Promise<void> | undefined

/** Many calls that are refused together ask once. */
function checkOnce(): Promise<void> {
  asking ??= checkSession().finally(() => {
    asking = undefined
  })
  return asking
}

export function retryCheck(): Promise<void> {
  become({ phase: 'checking' })
  return checkSession()
}

export async function signIn(adminKey: string): Promise<void> {
  begin(await call(auth.login, { body: { key: adminKey } }))
}

export async function signInWithEmail(email: string, password: string): Promise<void> {
  begin(await call(auth.loginWithEmail, { body: { email, password } }))
}

/** Uses an invitation or reset link. Whoever was signed in here before is signed out. */
export async function signInWithLink(token: string, password: string): Promise<void> {
  const before = load('adminKey')
  const answer = await call(auth.acceptLink, { body: { token, password } })
  begin(answer)
  if (before) revoke(before)
}

export async function giveSecondFactor(code: string): Promise<void> {
  goOn(await call(auth.giveSecondFactor, { body: { code } }))
}

export async function chooseFirstPassword(password: string): Promise<void> {
  goOn(await call(auth.chooseFirstPassword, { body: { password } }))
}

/** Switches the second factor on and answers the recovery codes. What the session may do now, `checkSession` tells. */
export async function confirmEnrolment(code: string): Promise<string[]> {
  const { recovery_codes, session_key } = await call(auth.confirmEnrolment, { body: { code } })
  const known = load('session')
  if (known) storeSession(session_key, known.state)
  save('adminKey', session_key)
  return recovery_codes
}

function begin(answer: SignedIn): void {
  remove('leaveReason', 'lastHeartbeat')
  save('lastActivity', Date.now())
  goOn(answer)
}

/** Each step of a sign-in comes with a new key. */
function goOn({ session_key, ...state }: SignedIn): void {
  // The state first: the key is what tells the other tabs.
  storeSession(session_key, state)
  save('adminKey', session_key)
  show(state)
}

function enter(key: string, state: SessionState): void {
  storeSession(key, state)
  show(state)
}

/** Changes how the console looks, at once here and for a person everywhere; whether that could be kept is told. */
export async function setTheme(theme: Theme): Promise<void> {
  chooseTheme(theme)
  const key = load('adminKey')
  const known = key ? storedSession(key) : undefined
  if (!key || !known?.user) return
  changes++
  await call(auth.setTheme, { body: { theme } })
  changes++
  // What the session was told to be meanwhile may hold the one before.
  if (load('adminKey') === key) enter(key, { ...known, user: { ...known.user, theme } })
}

/** Ends the session in all tabs and revokes its key. */
export function signOut(reason: 'signed_out' | 'idle'): void {
  const key = load('adminKey')
  leave(reason)
  if (key) revoke(key)
  if (reason === 'signed_out') window.history.pushState(null, '', '/admin')
}

function leave(reason: LeaveReason): void {
  // Before the key: its removal is what tells the other tabs.
  save('leaveReason', reason)
  remove('adminKey', 'session')
  become({ phase: 'signed-out', reason })
}
