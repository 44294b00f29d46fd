import type { Queryable } from '../../store/store.ts'
import type { Scope, Steering } from '../steering.ts'
import type { Standing } from './request-limit.ts'

export type ResultInfo = { page: number; per_page: number; count: number; total_count: number; total_pages: number }

export type Call = {
  /** The values of the path's parameters, in their order. */
  ids: string[]
  query: URLSearchParams
  body: Record<string, unknown>
  db: Queryable
  schema: string
  /** World time in milliseconds. */
  now: number
  account: Account
  steering: Steering
  /** Counts a GraphQL query; they have a limit of their own. */
  countQuery(): Standing
  /** Tells whoever caches that these hosts were purged. */
  purged(hosts: string[]): void
}

export type Account = { id: string; name: string; token: string; tokenId: string; seed: string }

export type Answer = { result: unknown; info?: ResultInfo } | { whole: Record<string, unknown> }

export type Route = {
  /** The call as the SDK names it. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** What the token must be allowed; null when the answer itself depends on it. */
  scope: Scope | null
  /** Answers also to a token that is known but no longer good. */
  tellsTokenStatus?: boolean
  /** What a call may name in its query and in its body: the sandbox honours nothing else, and refuses it. */
  query?: readonly string[]
  body?: readonly string[]
  answer(call: Call): Promise<Answer>
}

export type Found = { route: Route; ids: string[] }

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function match(route: Route, parts: string[]): string[] | undefined {
  const wanted = route.path.split('/').slice(1)
  if (wanted.length !== parts.length) return undefined
  const ids: string[] = []
  for (const [index, part] of parts.entries()) {
    const want = wanted[index]!
    if (want.startsWith(':')) ids.push(decoded(part))
    else if (want !== part) return undefined
  }
  return ids
}

/** Finds the route of a path; of an address that is known under another method, tells only that. */
export function findRoute(routes: readonly Route[], method: string, path: string): Found | 'other_method' | undefined {
  const parts = path.split('/').slice(1)
  let known = false
  for (const route of routes) {
    const ids = match(route, parts)
    if (!ids) continue
    if (route.method === method) return { route, ids }
    known = true
  }
  return known ? 'other_method' : undefined
}
