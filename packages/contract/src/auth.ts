import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { permission } from './permissions.ts'
import { count, instant } from './primitives.ts'

export const actor = z.object({
  type: z.enum(['admin_key', 'user', 'api_key']),
  id: z.string(),
  name: z.string(),
  role: z.string(),
  permissions: z.array(permission),
})
export type Actor = z.output<typeof actor>

/** How far the sign-in is: only an `open` session may do more than go on with it. */
export const sessionStages = ['open', 'second_factor', 'new_password', 'enrolment'] as const
export const sessionStage = z.enum(sessionStages)
export type SessionStage = z.output<typeof sessionStage>

/** How the console looks; `system`: as the device does. */
export const theme = z.enum(['light', 'dark', 'system'])
export type Theme = z.output<typeof theme>

export const sessionState = z.object({
  actor,
  stage: sessionStage,
  /** Who signed in with email and password; null for a key. */
  user: z
    .object({
      id: z.string(),
      email: z.string(),
      role_name: z.string(),
      theme,
      second_factor: z.object({ enabled: z.boolean(), required: z.boolean(), recovery_codes_left: count }),
    })
    .nullable(),
  version: z.string(),
  mode: z.enum(['demo', 'test', 'live']),
  /** IANA name of the zone in which times are shown; null: that of whoever looks. */
  time_zone: z.string().nullable(),
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

/** Every step of a sign-in answers a new session key; the one before is void. */
export const signedIn = z.object({ session_key: z.string(), ...sessionState.shape })

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  permission: 'public',
  summary: 'Trade the admin key for a session key',
  body: z.strictObject({ key: z.string().trim().min(1, 'Please enter an admin key').max(512) }),
  response: signedIn,
})

/** Lower case, without the spaces that a paste brings along. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'An email address has 254 characters at most')
  .pipe(z.email('Enter a valid email address'))

/** Length is what counts; which passwords are too common is known to the server. */
export const minPasswordLength = 8
export const newPassword = z
  .string()
  .min(minPasswordLength, `A password needs at least ${minPasswordLength} characters`)
  .max(256, 'A password has 256 characters at most')

export const loginWithEmail = endpoint({
  method: 'POST',
  path: '/auth/login/email',
  permission: 'public',
  summary: 'Trade email and password for a session key; the answer says which step comes next',
  body: z.strictObject({ email: z.string().trim().min(1).max(254), password: z.string().min(1).max(256) }),
  response: signedIn,
})

export const giveSecondFactor = endpoint({
  method: 'POST',
  path: '/auth/second-factor',
  permission: 'signing_in',
  summary: 'Complete a sign-in with a code of the authenticator app or a recovery code',
  body: z.strictObject({ code: z.string().trim().min(6).max(60) }),
  response: signedIn,
})

export const chooseFirstPassword = endpoint({
  method: 'POST',
  path: '/auth/first-password',
  permission: 'signing_in',
  summary: 'Replace the temporary password by one of your own',
  body: z.strictObject({ password: newPassword }),
  response: signedIn,
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/password',
  permission: 'any',
  summary: 'Change your password; your other sessions end',
  body: z.strictObject({ current_password: z.string().min(1).max(256), password: newPassword }),
  response: z.object({ success: z.literal(true), ended_sessions: count }),
})

export const beginEnrolment = endpoint({
  method: 'POST',
  path: '/auth/enrolment',
  permission: 'signing_in',
  summary: 'Begin to set up an authenticator app: a secret that counts once a code of it was given',
  /** Beside an open session the password again; during a sign-in it was just given. */
  body: z.strictObject({ password: z.string().max(256).optional() }).nullish(),
  response: z.object({ secret: z.string(), uri: z.string() }),
})

export const confirmEnrolment = endpoint({
  method: 'POST',
  path: '/auth/enrolment/confirm',
  permission: 'signing_in',
  summary: 'Turn on two-step verification with a first code; answers the recovery codes, once',
  body: z.strictObject({
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, 'Enter the six-digit code from the app'),
  }),
  response: z.object({ recovery_codes: z.array(z.string()), session_key: z.string() }),
})

/**
 * Who it is, asked once more before something that a borrowed session must not do: a code of the app or a recovery code, the
 * password of whoever has no second factor, or the admin key of whoever came in with it.
 */
export const identityProof = z.string().min(1, 'Prove once more who you are').max(512)

/** Of the app, or a recovery code. */
const secondFactorCode = z.string().trim().min(6).max(60)
const bothProofs = z.strictObject({ password: z.string().min(1).max(256), code: secondFactorCode })

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/auth/recovery-codes',
  permission: 'any',
  summary: 'Make ten new recovery codes; the old ones stop working, and your other sessions end',
  body: bothProofs,
  response: z.object({ recovery_codes: z.array(z.string()), ended_sessions: count }),
})

export const removeSecondFactor = endpoint({
  method: 'POST',
  path: '/auth/second-factor/remove',
  permission: 'any',
  summary: 'Turn off your two-step verification, unless your role requires it; your other sessions end',
  body: bothProofs,
  response: z.object({ success: z.literal(true), ended_sessions: count }),
})

export const listAdministrators = endpoint({
  method: 'GET',
  path: '/auth/administrators',
  permission: 'any',
  summary:
    'Whom to ask for a permission: the names of active people whose role can give it, three at most; nobody for an API key',
  query: z.strictObject({ permission }),
  response: z.object({
    names: z.array(z.string()).max(3),
    /** How many more there are. */
    others: count,
  }),
  topics: ['users'],
  isPersonal: true,
})

export const listMySessions = endpoint({
  method: 'GET',
  path: '/auth/sessions',
  permission: 'any',
  summary: 'Your own live sessions, the most recently active first',
  response: z.object({
    sessions: z.array(
      z.object({
        id: z.string(),
        device: z.string(),
        address: z.string().nullable(),
        created_at: instant,
        last_activity_at: instant,
        is_mine: z.boolean(),
      }),
    ),
  }),
})

export const endMySessions = endpoint({
  method: 'POST',
  path: '/auth/sessions/end',
  permission: 'any',
  summary: 'End one of your sessions, or all but the one that asks',
  body: z.strictObject({ password: z.string().min(1).max(256), id: z.string().max(64).optional() }),
  response: z.object({ ended: count }),
})

export const setTheme = endpoint({
  method: 'PUT',
  path: '/auth/theme',
  permission: 'any',
  summary: 'Choose how the console looks for you on every device',
  body: z.strictObject({ theme }),
  response: z.object({ theme }),
})

const linkToken = z.string().trim().min(20).max(100)

export const inspectLink = endpoint({
  method: 'POST',
  path: '/auth/links/inspect',
  permission: 'public',
  summary: 'What an invitation or password-reset link is good for',
  body: z.strictObject({ token: linkToken }),
  response: z.object({
    kind: z.enum(['invitation', 'password_reset']),
    email: z.string(),
    name: z.string(),
    expires_at: instant,
  }),
})

export const acceptLink = endpoint({
  method: 'POST',
  path: '/auth/links/accept',
  permission: 'public',
  summary: 'Use an invitation or password-reset link once: choose a password and be signed in',
  body: z.strictObject({ token: linkToken, password: newPassword }),
  response: signedIn,
})

export const getSession = endpoint({
  method: 'GET',
  path: '/auth/session',
  permission: 'signing_in',
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
  permission: 'signing_in',
  summary: 'Revoke the session key',
  body: z.strictObject({}).nullish(),
  response: z.object({ success: z.literal(true) }),
})
