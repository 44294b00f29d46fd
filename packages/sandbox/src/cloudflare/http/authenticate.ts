import type { IncomingMessage } from 'node:http'
import type { Scope, Steering } from '../steering.ts'
import { badAuthorization, invalidToken, noAuthorization, notAllowed, notAuthenticated } from './errors.ts'
import type { Route } from './route.ts'

export function authenticate(request: IncomingMessage, token: string, verifies: boolean): void {
  const header = request.headers.authorization
  if (!header) throw noAuthorization()
  const [scheme, given] = header.split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !given) throw badAuthorization()
  if (given !== token) throw verifies ? invalidToken() : notAuthenticated()
}

/** Who may edit may read. */
const includes = (scopes: readonly Scope[], wanted: Scope) =>
  scopes.includes(wanted) ||
  (wanted.endsWith(':Read') && (scopes as readonly string[]).includes(wanted.replace(':Read', ':Edit')))

export function authorize({ scopes, tokenStatus }: Steering, { scope, tellsTokenStatus }: Route): void {
  if (tellsTokenStatus) return
  if (tokenStatus !== 'active') throw notAuthenticated()
  if (scope !== null && !includes(scopes, scope)) throw notAllowed()
}
