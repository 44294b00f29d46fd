import type { HitKind, SessionState, SiteOwner, Theme } from '@agency/contract/types'

/** Why the browser last left the console; the login screen tells it. */
export type LeaveReason = 'signed_out' | 'idle' | 'ended' | 'invalid'

/** Something that was chosen in the palette; what the server found is kept as it was called then. */
export type RecentChoice = {
  key: string
  hit?: { kind: HitKind; title: string; detail: string | null; path: string }
}

/** A session key that was left, and when. */
export type KeyToRevoke = { key: string; at: number }

type Stored = {
  adminKey: string
  session: { key: string; state: SessionState }
  lastActivity: number
  lastHeartbeat: number
  leaveReason: LeaveReason
  /** Keys that were signed out here, until the server confirms it; kept for nothing but telling it again. */
  keysToRevoke: readonly KeyToRevoke[]
  /** When the view of a customer that this browser is in ends by itself. */
  viewUntil: number
  /** How the console looks in this browser, also before the login. */
  theme: Theme
  openGroups: Record<string, boolean>
  recentChoices: { actor: string; choices: readonly RecentChoice[] }
  /** The customers that a site was last offered, for when they cannot be asked for. */
  siteOwners: { actor: string; owners: readonly SiteOwner[] }
  /** What an older console left in this browser was dealt with. */
  oldSites: 'imported' | 'declined'
}

// The specification names `adminKey`; the rest is kept apart from what other pages of the origin may store.
const nameOf = (field: keyof Stored) => (field === 'adminKey' ? 'adminKey' : `agency.${field}`)

// A browser may refuse storage; the session then lives as long as the page.
const memory = new Map<string, string>()

function read(name: string): string | null {
  try {
    return localStorage.getItem(name) ?? memory.get(name) ?? null
  } catch {
    return memory.get(name) ?? null
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
    memory.delete(name)
  } catch {
    memory.set(name, value)
  }
}

export function load<F extends keyof Stored>(field: F): Stored[F] | undefined {
  const text = read(nameOf(field))
  if (text === null) return undefined
  if (field === 'adminKey') return text as Stored[F]
  try {
    return JSON.parse(text) as Stored[F]
  } catch {
    return undefined
  }
}

/** What another program of this origin keeps under a name; nothing of it can be relied on. */
export function loadForeign(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}

export function save<F extends keyof Stored>(field: F, value: Stored[F]): void {
  write(nameOf(field), field === 'adminKey' ? String(value) : JSON.stringify(value))
}

export function remove(...fields: (keyof Stored)[]): void {
  for (const field of fields) {
    memory.delete(nameOf(field))
    try {
      localStorage.removeItem(nameOf(field))
    } catch {
      // Nothing was stored then.
    }
  }
}

/** Calls back when another tab changes the field; returns the way to stop. */
export function onStored<F extends keyof Stored>(
  field: F,
  listener: (value: Stored[F] | undefined) => void,
): () => void {
  const handle = (event: StorageEvent) => {
    // `key` is null when the whole storage was cleared.
    if (event.key === nameOf(field) || event.key === null) listener(load(field))
  }
  window.addEventListener('storage', handle)
  return () => window.removeEventListener('storage', handle)
}
