import type { EndpointRef } from '@agency/contract/types'
import { badAnswer, noKey, problemOf, unreachable } from './problems.ts'
import { load } from './storage.ts'

const apiBase = '/api'

declare global {
  var earlyCalls: Map<string, { key: string; at: number; answer: Promise<Response> }> | undefined
}

/** Any endpoint of the contract, with the types that it carries. */
export type Endpoint = Pick<EndpointRef, 'method' | 'path' | 'permission' | 'topics' | 'idempotent'> & {
  readonly types?: { params: unknown; query: unknown; body: unknown; response: unknown }
}
type TypesOf<E extends Endpoint> = NonNullable<E['types']>
type Part<K extends string, T> = [T] extends [undefined]
  ? { [P in K]?: undefined }
  : object extends T
    ? { [P in K]?: T }
    : undefined extends T
      ? { [P in K]?: T }
      : { [P in K]: T }

export type Input<E extends Endpoint> = Part<'params', TypesOf<E>['params']> &
  Part<'query', TypesOf<E>['query']> &
  Part<'body', TypesOf<E>['body']>
export type ResponseOf<E extends Endpoint> = TypesOf<E>['response']

export type CallOptions = {
  signal?: AbortSignal
  /** Kept by the caller for as long as the same action is tried again. */
  idempotencyKey?: string
  /** Lets the call outlive the page. */
  keepalive?: boolean
  /** Another key than the stored one. */
  key?: string
  /** Where an event stream goes on. */
  lastEventId?: string
}

let keyRefused: (key: string) => void = () => {}

/** Registers what happens when the server answers 401 to a key. */
export function onKeyRefused(listener: (key: string) => void): void {
  keyRefused = listener
}

let keyForbidden: (key: string) => void = () => {}

/** Registers what happens when the server answers 403: whoever holds the key may do less than the screen thought. */
export function onKeyForbidden(listener: (key: string) => void): void {
  keyForbidden = listener
}

// Older than that, an answer may tell of another state than the screen that comes to ask for it.
const earlyMs = 15_000
// On the window, because what runs before the app is a script of its own.
globalThis.earlyCalls ??= new Map()
const early = globalThis.earlyCalls

/**
 * Makes a reading call before the code that needs it is there: the first call of the same address with the same key
 * takes its answer.
 */
export function callEarly(path: string, input: Input<Endpoint>, key: string): void {
  const address = addressOf(path, input)
  const answer = fetch(address, { headers: { 'x-admin-key': key }, credentials: 'same-origin' }).then(
    // Read at once: whoever takes the answer does not wait for the rest of it.
    async (response) => new Response(await response.text(), response),
  )
  // Whoever takes the answer sees the failure.
  answer.catch(() => {})
  early.set(address, { key, at: performance.now(), answer })
}

function takeEarly(address: string, key: string | undefined): Promise<Response> | undefined {
  const call = early.get(address)
  early.delete(address)
  return call && call.key === key && performance.now() - call.at < earlyMs ? call.answer : undefined
}

/** A random id. `crypto.randomUUID` is missing on plain HTTP other than localhost. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: CallOptions = {},
): Promise<ResponseOf<E>> {
  const response = await send(endpoint, input, options)
  if (response.status === 204) return undefined as ResponseOf<E>
  return response.json().catch((error: unknown) => {
    if (options.signal?.aborted) throw error
    throw badAnswer(response)
  })
}

/** The raw answer of a successful call, for files and streams. */
export async function send<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: CallOptions = {},
): Promise<Response> {
  const key = options.key ?? load('adminKey')
  if (!key && endpoint.permission !== 'public') throw noKey()
  const address = addressOf(endpoint.path, input)
  const started = endpoint.method === 'GET' ? takeEarly(address, key) : undefined
  const answer =
    started ??
    fetch(address, {
      method: endpoint.method,
      headers: headersOf(endpoint, input, key, options),
      body: input.body == null ? null : JSON.stringify(input.body),
      signal: options.signal ?? null,
      keepalive: options.keepalive ?? false,
      // Nothing here uses cookies, but without credentials Chromium does not heed Clear-Site-Data.
      credentials: 'same-origin',
    })
  const response = await answer.catch((error: unknown) => {
    if (options.signal?.aborted) throw error
    throw unreachable()
  })
  if (response.ok) return response
  if (response.status === 401 && key && endpoint.permission !== 'public') keyRefused(key)
  if (response.status === 403 && key) keyForbidden(key)
  throw await problemOf(response)
}

function headersOf(endpoint: Endpoint, input: Input<Endpoint>, key: string | undefined, options: CallOptions): Headers {
  const headers = new Headers()
  if (input.body != null) headers.set('content-type', 'application/json')
  if (key && endpoint.permission !== 'public') headers.set('x-admin-key', key)
  if (options.lastEventId) headers.set('last-event-id', options.lastEventId)
  if (endpoint.idempotent) headers.set('idempotency-key', options.idempotencyKey ?? newId())
  return headers
}

function addressOf(pathOfEndpoint: string, input: Input<Endpoint>): string {
  const params = (input.params ?? {}) as Record<string, unknown>
  const path = pathOfEndpoint.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return `${apiBase}${path}${text ? `?${text}` : ''}`
}

/** Query options for an endpoint: `useQuery(q(billing.listPayments, { query: { status: 'failed' } }))`. */
export function q<E extends Endpoint>(endpoint: E, input: Input<E>) {
  return {
    queryKey: [endpoint.path, input] as const,
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<ResponseOf<E>> => call(endpoint, input, { signal }),
    meta: { topics: endpoint.topics, permission: endpoint.permission },
  }
}
