import * as auth from '@agency/contract/descriptors/auth'
import { useSyncExternalStore } from 'react'
import { call } from './api.ts'
import { ApiError } from './problems.ts'
import { type KeyToRevoke, load, onStored, remove, save } from './storage.ts'

const backOffMs = [2000, 5000, 15_000, 30_000, 60_000]
// A dead connection may never answer.
const patienceMs = 20_000
// By then every session has ended by its own clock.
const keptForMs = 7 * 24 * 3_600_000

const listeners = new Set<() => void>()
let waitsMs: readonly number[] = backOffMs
let failures = 0
let isLate = false
let running = false
let timer: ReturnType<typeof setTimeout> | undefined

const waiting = (): readonly KeyToRevoke[] => load('keysToRevoke') ?? []

function setLate(next: boolean): void {
  if (isLate === next) return
  isLate = next
  for (const listener of listeners) listener()
}

function keep(keys: readonly KeyToRevoke[]): void {
  if (keys.length > 0) save('keysToRevoke', keys)
  else remove('keysToRevoke')
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether a session that was left here is still open at the server, because the server could not be told. */
export function useLateRevocation(): boolean {
  return useSyncExternalStore(subscribe, () => isLate)
}

/** Ends the session of a key at the server. A call that is lost is sent again, after a reload too. */
export function revoke(key: string): void {
  keep([...waiting(), { key, at: Date.now() }])
  void revokeAll()
}

/** Takes up what an earlier page could not tell the server. Returns the way to stop. */
export function startRevocations(waits: readonly number[] = backOffMs): () => void {
  waitsMs = waits
  failures = 0
  const tryNow = () => void revokeAll()
  const stop = onStored('keysToRevoke', (keys) => {
    // The tab that was left may be closed before it is through.
    if (keys?.length) tryIn(waitsMs[0] ?? 0)
    else setLate(false)
  })
  window.addEventListener('online', tryNow)
  tryNow()
  return () => {
    stop()
    window.removeEventListener('online', tryNow)
    clearTimeout(timer)
    setLate(false)
  }
}

async function revokeAll(): Promise<void> {
  if (running) return
  running = true
  clearTimeout(timer)
  const tried = new Set<string>()
  let failed = false
  for (let next = untried(tried); next; next = untried(tried)) {
    const { key, at } = next
    tried.add(key)
    if ((await isRevoked(key)) || Date.now() - at > keptForMs) keep(waiting().filter((one) => one.key !== key))
    else failed = true
  }
  running = false
  failures = failed ? failures + 1 : 0
  setLate(failed)
  if (failed) tryIn(waitsMs[Math.min(failures, waitsMs.length) - 1] ?? 0)
}

function tryIn(waitMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => void revokeAll(), waitMs)
}

const untried = (tried: ReadonlySet<string>) => waiting().find(({ key }) => !tried.has(key))

async function isRevoked(key: string): Promise<boolean> {
  try {
    // Outlives the page, so that closing it right after the press loses nothing.
    await call(auth.logout, {}, { key, keepalive: true, signal: AbortSignal.timeout(patienceMs) })
    return true
  } catch (error) {
    return error instanceof ApiError && error.status === 401
  }
}
