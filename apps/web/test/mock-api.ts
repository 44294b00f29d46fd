import type { Problem } from '@agency/contract/types'
import { afterEach, vi } from 'vitest'
import type { Endpoint, ResponseOf } from '../src/lib/api.ts'

type TypesOf<E extends Endpoint> = NonNullable<E['types']>
export type MockCall<E extends Endpoint = Endpoint> = {
  name: string
  params: TypesOf<E>['params']
  query: Record<string, string>
  body: TypesOf<E>['body']
  headers: Headers
  signal: AbortSignal | null
}
type Handler<E extends Endpoint> = (call: MockCall<E>) => ResponseOf<E> | Response | Promise<ResponseOf<E> | Response>
type Handlers<G> = { [K in keyof G]?: G[K] extends Endpoint ? Handler<G[K]> : never }
type Mounted = { name: string; method: string; pattern: RegExp; names: string[]; handle: Handler<Endpoint> }

/** `ANSWER_DELAY_MS=40` answers every call that much later: no test may need a fast answer. */
const answerDelayMs = Number(import.meta.env['ANSWER_DELAY_MS'] ?? 0)

const mounted: Mounted[] = []
let calls: MockCall[] = []

afterEach(() => {
  mounted.length = 0
  calls = []
  vi.unstubAllGlobals()
})

/** Answers the calls of a group of endpoints, typed by the contract. A later handler for the same call replaces the earlier one. */
export function mockApi<G extends Record<string, Endpoint>>(
  group: G,
  handlers: Handlers<G>,
): { calls: () => MockCall[] } {
  for (const [name, handle] of Object.entries(handlers)) {
    const endpoint = group[name]!
    const names: string[] = []
    const pattern = endpoint.path.replace(/:(\w+)/g, (_, param: string) => {
      names.push(param)
      return '([^/]+)'
    })
    mounted.unshift({
      name,
      method: endpoint.method,
      pattern: new RegExp(`^/api${pattern}$`),
      names,
      handle: handle as Handler<Endpoint>,
    })
  }
  vi.stubGlobal('fetch', answer)
  return { calls: () => calls }
}

/** An answer as the server gives it when it refuses. */
export function problem(status: number, init: Partial<Problem> = {}, headers: Record<string, string> = {}): Response {
  const body: Problem = {
    type: 'about:blank',
    title: 'Refused',
    status,
    detail: '',
    code: 'internal',
    requestId: 'req_test',
    ...init,
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
}

async function answer(input: string | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(String(input), 'http://localhost')
  const method = init.method ?? 'GET'
  for (const { name, pattern, names, handle, ...at } of mounted) {
    const match = at.method === method ? pattern.exec(url.pathname) : null
    if (!match) continue
    const call: MockCall = {
      name,
      params: Object.fromEntries(names.map((param, index) => [param, decodeURIComponent(match[index + 1]!)])),
      query: Object.fromEntries(url.searchParams),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      headers: new Headers(init.headers),
      signal: init.signal ?? null,
    }
    calls.push(call)
    if (answerDelayMs > 0 && !vi.isFakeTimers()) await new Promise((resolve) => setTimeout(resolve, answerDelayMs))
    const result = await handle(call)
    return result instanceof Response ? result : Response.json(result)
  }
  throw new TypeError(`No mock answers ${method} ${url.pathname}`)
}
