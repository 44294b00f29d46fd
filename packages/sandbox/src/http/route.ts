import type { Reader } from '../store/reader.ts'
import type { Unit } from '../store/store.ts'
import type { Docs, Kind } from '../stripe/types.ts'
import type { World } from '../world/world.ts'
import type { Params, Shape } from './params.ts'

/** What an answer is made of; the server shows and expands it. */
export type Answer =
  | { type: 'object'; kind: ShownKind; body: Record<string, unknown> }
  | { type: 'list'; kind: ShownKind; items: Record<string, unknown>[]; hasMore: boolean; url: string }

export type ShownKind = Kind | 'subscription_item' | 'line_item' | 'item' | 'account' | 'other'

export type ReadContext<S extends Shape> = { params: Params<S>; id: string; sub: string; read: Reader; now: number }
export type WriteContext<S extends Shape> = ReadContext<S> & { world: World; unit: Unit; wallNow: number }

export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  /** As in `/v1/charges/:id`. */
  path: string
  /** As the SDK names the call, for faults and the log. */
  name: string
  kind: ShownKind
  shape: Shape
  list: boolean
  read?: (context: ReadContext<Shape>) => Promise<Answer>
  write?: (context: WriteContext<Shape>) => Promise<Answer>
}

type Spec<S extends Shape> = { name: string; path: string; kind: ShownKind; shape: S }

export const readRoute = <S extends Shape>(
  spec: Spec<S> & { list?: boolean },
  read: (context: ReadContext<S>) => Promise<Answer>,
): Route => ({ ...spec, method: 'GET', list: spec.list ?? false, read: read as unknown as NonNullable<Route['read']> })

export const writeRoute = <S extends Shape>(
  spec: Spec<S> & { method?: 'POST' | 'DELETE' },
  write: (context: WriteContext<S>) => Promise<Answer>,
): Route => ({
  ...spec,
  method: spec.method ?? 'POST',
  list: false,
  write: write as unknown as NonNullable<Route['write']>,
})

export const shown = <K extends Kind>(kind: K, doc: Docs[K]): Answer => ({
  type: 'object',
  kind,
  body: doc as unknown as Record<string, unknown>,
})
