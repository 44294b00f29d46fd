import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { permission } from './permissions.ts'
import { instant } from './primitives.ts'

export const actor = z.object({
  type: z.enum(['admin_key', 'user', 'api_key']),
  id: z.string(),
  name: z.string(),
  role: z.string(),
  permissions: z.array(permission),
})
export type Actor = z.output<typeof actor>

export const sessionState = z.object({
  actor,
  version: z.string(),
  mode: z.enum(['demo', 'test', 'live']),
  /** The provider's own account, for links out; null in demo mode or before the first import. */
  stripe_account: z.object({ id: z.string(), name: z.string().nullable(), default_currency: z.string() }).nullable(),
  /** null when the call was made with the admin key or an API key. */
  session: z
    .object({
      id: z.string(),
      created_at: instant,
      idle_expires_at: instant,
      expires_at: instant,
      warn_after_s: z.int(),
      idle_limit_s: z.int(),
    })
    .nullable(),
})
export type SessionState = z.output<typeof sessionState>

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  permission: 'public',
  summary: 'Trade the admin key for a session key',
  body: z.strictObject({ key: z.string().trim().min(1, 'Please enter an admin key').max(512) }),
  response: z.object({ session_key: z.string(), ...sessionState.shape }),
})

export const getSession = endpoint({
  method: 'GET',
  path: '/auth/session',
  permission: 'any',
  summary: 'Who is signed in, with which permissions and until when',
  response: sessionState,
})

/** Sent at most once a minute and only while there is activity; polling never keeps a session alive. */
export const heartbeat = endpoint({
  method: 'POST',
  path: '/auth/heartbeat',
  permission: 'any',
  summary: 'Tell that the administrator is active',
  /** `tab`: where, under the id that its visibility is reported with. */
  body: z.strictObject({ tab: z.string().min(1).max(64).optional() }).nullish(),
  response: z.object({ idle_expires_at: instant.nullable() }),
})

export const reportVisibility = endpoint({
  method: 'POST',
  path: '/auth/visibility',
  permission: 'any',
  summary: 'Tell that a tab was hidden, shown or closed',
  body: z.strictObject({ tab: z.string().min(1).max(64), state: z.enum(['visible', 'hidden', 'closed']) }),
  response: z.object({ idle_expires_at: instant.nullable() }),
})

export const logout = endpoint({
  method: 'POST',
  path: '/auth/logout',
  permission: 'any',
  summary: 'Revoke the session key',
  body: z.strictObject({}).nullish(),
  response: z.object({ success: z.literal(true) }),
})
