import * as auth from '@agency/contract/descriptors/auth'
import * as dashboard from '@agency/contract/descriptors/dashboard'
import type { Access } from '@agency/contract/types'
import { billingQueries } from '../features/billing/billing-list.ts'
import { customersList } from '../features/customers/customers-list.ts'
import { callEarly } from '../lib/api.ts'
import { paths } from '../lib/paths.ts'
import { load } from '../lib/storage.ts'
import { storedSession } from '../lib/stored-session.ts'

type FirstCall = { path: string; input: object; permission: Access }
type Query = { queryKey: readonly [string, object]; meta: { permission: Access } }

const callOf = ({ queryKey: [path, input], meta }: Query): FirstCall => ({ path, input, permission: meta.permission })

/** What the screens that people start on ask first. Nothing here may load what renders them. */
const firstCalls: Record<string, (params: URLSearchParams, pathname: string) => FirstCall[]> = {
  [paths.dashboard]: () => [
    { ...dashboard.getDashboard, input: {} },
    { ...dashboard.getNeeds, input: {} },
  ],
  [paths.customers]: (params, pathname) => customersList.queriesFor(params, pathname).map(callOf),
  [paths.subscriptions]: (params, pathname) => billingQueries(params, pathname).map(callOf),
  [paths.payments]: (params, pathname) => billingQueries(params, pathname).map(callOf),
}

/** Asks for the first screen's data while the code of the console is still on its way. */
export function startFirstCalls({ pathname, searchParams }: URL): void {
  const key = load('adminKey')
  const calls = firstCalls[pathname]?.(searchParams, pathname)
  if (!key || !calls) return
  const session = storedSession(key)
  if (!session) callEarly(auth.getSession.path, {}, key)
  // A call that is known to be refused is not made: refusals are written to the audit log.
  const permissions: readonly Access[] = ['any', ...(session?.actor.permissions ?? [])]
  for (const { path, input, permission } of calls) {
    if (!session || (session.stage === 'open' && permissions.includes(permission))) callEarly(path, input, key)
  }
}
