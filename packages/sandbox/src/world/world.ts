import { isDeepStrictEqual } from 'node:util'
import type { Docs, Kind, Private } from '../stripe/types.ts'
import { makeId } from './ids.ts'
import { present } from './present.ts'
import type { Random } from './random.ts'
import { matches, type Refs, refsOf } from './refs.ts'

export type Entry<K extends Kind = Kind> = {
  kind: K
  id: string
  created: number
  ord: number
  doc: Docs[K]
  priv: Private | null
  deleted: boolean
}

export type Due = { kind: string; ref: string; at: number; ord: number; data: Record<string, unknown> | null }
export type DueChange = { kind: string; ref: string; due: Due | null }

export type Backing = {
  load(kind: Kind, id: string): Promise<Entry | undefined>
  /** With a limit, only the newest are looked at. */
  search(kind: Kind, where: Refs, limit?: number): Promise<Entry[]>
}

export type WorldRequest = { id: string | null; idempotencyKey: string | null }

export const apiVersion = '2026-10-28.endive'

const keyOf = (kind: string, id: string) => `${kind} ${id}`

/**
 * One unit of work in the small world: reads through to its backing, keeps what it touched, and hands the changes over
 * at once. The same rules run on it for the seeded history, for the passing of time and for API requests.
 */
export class World {
  now: number
  ord: number
  readonly random: Random
  readonly ids: Random
  request: WorldRequest = { id: null, idempotencyKey: null }
  /** Events before this moment are not kept: Stripe forgets them after 30 days. */
  eventsFrom = 0
  readonly #backing: Backing
  readonly #entries = new Map<string, Entry>()
  #dirty = new Set<Entry>()
  #dues = new Map<string, DueChange>()

  constructor(options: { backing: Backing; now: number; ord: number; random: Random; ids: Random }) {
    this.#backing = options.backing
    this.now = options.now
    this.ord = options.ord
    this.random = options.random
    this.ids = options.ids
  }

  newId(prefix: string): string {
    return makeId(prefix, this.ids, this.now)
  }

  async entry<K extends Kind>(kind: K, id: string): Promise<Entry<K> | undefined> {
    const known = this.#entries.get(keyOf(kind, id))
    if (known) return known as Entry<K>
    const loaded = await this.#backing.load(kind, id)
    if (loaded) this.#entries.set(keyOf(kind, id), loaded)
    return loaded as Entry<K> | undefined
  }

  /** A deleted object is not found. */
  async get<K extends Kind>(kind: K, id: string): Promise<Docs[K] | undefined> {
    const entry = await this.entry(kind, id)
    return entry && !entry.deleted ? entry.doc : undefined
  }

  async need<K extends Kind>(kind: K, id: string): Promise<Docs[K]> {
    const doc = await this.get(kind, id)
    if (!doc) throw new Error(`The world has no ${kind} ${id}`)
    return doc
  }

  /** Oldest first; with a limit, of the newest that many. */
  async find<K extends Kind>(kind: K, where: Refs, limit?: number): Promise<Docs[K][]> {
    const found = new Map<string, Entry>()
    for (const row of await this.#backing.search(kind, where, limit)) {
      const entry = this.#entries.get(keyOf(kind, row.id)) ?? row
      this.#entries.set(keyOf(kind, row.id), entry)
      found.set(entry.id, entry)
    }
    for (const entry of this.#dirty) if (entry.kind === kind) found.set(entry.id, entry)
    return [...found.values()]
      .filter((entry) => !entry.deleted && matches(refsOf(kind, entry.doc as Docs[K]), where))
      .sort((a, b) => a.created - b.created || a.ord - b.ord)
      .map((entry) => entry.doc as Docs[K])
  }

  insert<K extends Kind>(kind: K, doc: Docs[K], options: { event?: string | null; priv?: Private } = {}): Docs[K] {
    const created = 'created' in doc && typeof doc.created === 'number' ? doc.created : this.now
    const entry: Entry<K> = {
      kind,
      id: doc.id,
      created,
      ord: this.ord++,
      doc,
      priv: options.priv ?? null,
      deleted: false,
    }
    this.#entries.set(keyOf(kind, doc.id), entry)
    this.#dirty.add(entry)
    if (options.event) this.emit(options.event, kind, doc)
    return doc
  }

  /** Applies new values, or a function to a copy; when something differs, the event tells the values before. */
  async change<K extends Kind>(
    kind: K,
    id: string,
    change: Partial<Docs[K]> | ((draft: Docs[K]) => void),
    event: string | null,
  ): Promise<Docs[K]> {
    const entry = await this.entry(kind, id)
    if (!entry) throw new Error(`The world has no ${kind} ${id}`)
    const before = entry.doc
    const draft = typeof change === 'function' ? clone(before) : { ...before, ...change }
    if (typeof change === 'function') change(draft)
    entry.doc = draft
    if (event === null || this.now < this.eventsFrom) {
      this.#dirty.add(entry)
      return draft
    }
    const previous = previousAttributes(before, draft)
    if (Object.keys(previous).length === 0) return draft
    this.#dirty.add(entry)
    this.emit(event, kind, draft, tellsBefore(event) ? previous : undefined)
    return draft
  }

  async remove<K extends Kind>(kind: K, id: string, event: string | null): Promise<void> {
    const entry = await this.entry(kind, id)
    if (!entry) throw new Error(`The world has no ${kind} ${id}`)
    entry.deleted = true
    this.#dirty.add(entry)
    if (event) this.emit(event, kind, entry.doc)
  }

  async priv(kind: Kind, id: string): Promise<Private> {
    return (await this.entry(kind, id))?.priv ?? {}
  }

  async setPriv(kind: Kind, id: string, change: Private): Promise<void> {
    const entry = await this.entry(kind, id)
    if (!entry) throw new Error(`The world has no ${kind} ${id}`)
    entry.priv = { ...entry.priv, ...change }
    this.#dirty.add(entry)
  }

  emit<K extends Kind>(type: string, kind: K, doc: Docs[K], previous?: Record<string, unknown>): void {
    if (this.now < this.eventsFrom) return
    this.insert('event', {
      id: this.newId('evt'),
      object: 'event',
      api_version: apiVersion,
      created: this.now,
      data: { object: present(kind, doc), ...(previous ? { previous_attributes: previous } : {}) },
      livemode: false,
      pending_webhooks: 0,
      request: { id: this.request.id, idempotency_key: this.request.idempotencyKey },
      type,
    })
  }

  schedule(kind: string, ref: string, at: number, data: Record<string, unknown> | null = null): void {
    this.#dues.set(keyOf(kind, ref), { kind, ref, due: { kind, ref, at, ord: this.ord++, data } })
  }

  unschedule(kind: string, ref: string): void {
    this.#dues.set(keyOf(kind, ref), { kind, ref, due: null })
  }

  /** Takes the earliest of the dues that this unit of work knows, up to a moment. */
  popDue(until: number): Due | undefined {
    let first: Due | undefined
    for (const { due } of this.#dues.values()) {
      if (!due || due.at > until) continue
      if (!first || due.at < first.at || (due.at === first.at && due.ord < first.ord)) first = due
    }
    if (first) this.#dues.delete(keyOf(first.kind, first.ref))
    return first
  }

  /** Hands over what has changed since the last call. */
  takeChanges(): { entries: Entry[]; dues: DueChange[] } {
    const changes = { entries: [...this.#dirty], dues: [...this.#dues.values()] }
    this.#dirty = new Set()
    this.#dues = new Map()
    return changes
  }
}

/** Documents are plain JSON; copying them by hand takes a fraction of structuredClone's time. */
function clone<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(clone) as T
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) copy[key] = clone((value as Record<string, unknown>)[key])
  return copy as T
}

const tellsBefore = (event: string) => event.endsWith('.updated') || event === 'charge.refunded'

function previousAttributes(before: object, after: object): Record<string, unknown> {
  const previous: Record<string, unknown> = {}
  const old = before as Record<string, unknown>
  const now = after as Record<string, unknown>
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (old[key] !== now[key] && !isDeepStrictEqual(old[key], now[key])) previous[key] = partial(old[key], now[key])
  }
  return previous
}

/** Of a changed hash Stripe tells only the keys that differ; lists and scalars are told whole. */
function partial(before: unknown, after: unknown): unknown {
  const isHash = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !('object' in value)
  return isHash(before) && isHash(after) ? previousAttributes(before, after) : (before ?? null)
}
