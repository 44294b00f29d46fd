import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant, pageQuery } from './primitives.ts'

export const liveSession = z.object({
  id: z.string(),
  actor_type: z.enum(['admin_key', 'user']),
  actor_id: z.string(),
  actor_name: z.string(),
  role: z.string(),
  /** Browser and system, as the user agent tells them. */
  device: z.string(),
  user_agent: z.string().nullable(),
  address: z.string().nullable(),
  created_at: instant,
  last_activity_at: instant,
  expires_at: instant,
  second_factor: z.boolean(),
  stage: z.enum(['open', 'second_factor', 'new_password', 'enrolment']),
  is_mine: z.boolean(),
})
export type LiveSession = z.output<typeof liveSession>

export const listSessions = endpoint({
  method: 'GET',
  path: '/admin/security/sessions',
  permission: 'admin.system',
  summary: 'Live sessions, the most recently active first',
  query: z.strictObject({ ...pageQuery(50) }),
  response: z.object({ sessions: z.array(liveSession), has_more: z.boolean(), total: count }),
  topics: ['audit'],
  isPersonal: true,
})

export const revokeSession = endpoint({
  method: 'POST',
  path: '/admin/security/sessions/:id/revoke',
  permission: 'admin.system',
  summary: 'End a session at once',
  params: idParams,
  body: z.strictObject({}).nullish(),
  response: z.object({ success: z.literal(true) }),
})

export const revokeOtherSessions = endpoint({
  method: 'POST',
  path: '/admin/security/sessions/revoke-others',
  permission: 'admin.system',
  summary: 'End all sessions but the one that asks',
  body: z.strictObject({}).nullish(),
  response: z.object({ ended: count }),
})

export const signInAttempt = z.object({
  id: z.string(),
  at: instant,
  method: z.enum(['login', 'api', 'email', 'second_factor', 'link']),
  succeeded: z.boolean(),
  /** Who it was, where the account exists. */
  account: z.string().nullable(),
  reason: z.string().nullable(),
  address: z.string(),
  device: z.string(),
})

export const listSignInAttempts = endpoint({
  method: 'GET',
  path: '/admin/security/attempts',
  permission: 'admin.system',
  summary: 'Sign-in attempts, newest first',
  query: z.strictObject({ ...pageQuery(50), outcome: z.enum(['all', 'succeeded', 'failed']).optional() }),
  response: z.object({ attempts: z.array(signInAttempt), has_more: z.boolean() }),
  topics: ['audit'],
  isPersonal: true,
})

export const lockOut = z.object({
  id: z.string(),
  kind: z.enum(['address', 'account']),
  /** The address and whose account was tried from there, or the account's email where it exists. */
  subject: z.string(),
  failures: count,
  last_failure_at: instant,
  locked_until: instant.nullable(),
})

export const listLockOuts = endpoint({
  method: 'GET',
  path: '/admin/security/lockouts',
  permission: 'admin.system',
  summary: 'Addresses and accounts with wrong sign-ins, the locked ones first',
  response: z.object({ lockouts: z.array(lockOut) }),
  topics: ['audit'],
  isPersonal: true,
})

export const releaseLockOut = endpoint({
  method: 'POST',
  path: '/admin/security/lockouts/:id/release',
  permission: 'admin.system',
  summary: 'Let an address or an account try again at once',
  params: idParams,
  body: z.strictObject({}).nullish(),
  response: z.object({ success: z.literal(true) }),
})

export const adminKeyState = z.object({
  enabled: z.boolean(),
  source: z.enum(['environment', 'made']),
  set_at: instant,
  last_used_at: instant.nullable(),
  live_sessions: count,
  /** API keys that were made with it and would stop working with it. */
  live_api_keys: count,
  /** Why it cannot be switched off, or null. */
  cannot_disable_reason: z.string().nullable(),
  /** Why it cannot be rotated here, or null. */
  cannot_rotate_reason: z.string().nullable(),
})

export const getAdminKey = endpoint({
  method: 'GET',
  path: '/admin/security/admin-key',
  permission: 'admin.system',
  summary: 'How the shared admin key stands',
  response: adminKeyState,
  topics: ['audit'],
  isPersonal: true,
})

export const rotateAdminKey = endpoint({
  method: 'POST',
  path: '/admin/security/admin-key/rotate',
  permission: 'admin.system',
  summary: 'Make a new admin key, which is answered this once; its sessions end, but for the one that asks',
  body: z.strictObject({}).nullish(),
  response: z.object({ key: z.string(), ended_sessions: count }),
})

export const disableAdminKey = endpoint({
  method: 'POST',
  path: '/admin/security/admin-key/disable',
  permission: 'admin.system',
  summary: 'Switch the admin key off until a new one is made; its sessions end',
  body: z.strictObject({}).nullish(),
  response: z.object({ ended_sessions: count }),
})

export const securityFinding = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(['ok', 'advice', 'warning', 'error', 'unknown']),
  /** What was seen. */
  finding: z.string(),
  /** What to do about it. */
  advice: z.string().nullable(),
  /** A page of the console that mends it. */
  link: z.string().nullable(),
  link_text: z.string().nullable(),
})
export type SecurityFinding = z.output<typeof securityFinding>

const securityRun = z.object({
  id: z.string(),
  at: instant,
  actor_name: z.string(),
  /** 100, less 25 for each error, 10 for each warning and 3 for each advice; 0 at least. What is unknown costs nothing. */
  score: z.int().min(0).max(100),
  findings: z.array(securityFinding),
})

export const getSecurityChecks = endpoint({
  method: 'GET',
  path: '/admin/security/checks',
  permission: 'admin.system',
  summary: 'The last run of the security checks and the scores before it',
  response: z.object({
    run: securityRun.nullable(),
    history: z.array(z.object({ at: instant, score: z.int() })),
  }),
  topics: ['security'],
})

export const runSecurityChecks = endpoint({
  method: 'POST',
  path: '/admin/security/checks',
  permission: 'admin.system',
  summary: 'Run every security check now',
  body: z.strictObject({}).nullish(),
  response: z.object({ run: securityRun }),
})
