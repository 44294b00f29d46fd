import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { apiKeyScopes, keyScopes, permissions } from './permissions.ts'
import { count, idParams, instant } from './primitives.ts'

const held = z.enum([...permissions, ...keyScopes])

export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  key_prefix: z.string(),
  /** As it was given. */
  permissions: z.array(held),
  /** What it can do now: no more than whoever made it. */
  effective_permissions: z.array(held),
  last_used: instant.nullable(),
  last_used_address: z.string().nullable(),
  last_used_endpoint: z.string().nullable(),
  use_count: count,
  expires_at: instant.nullable(),
  is_active: z.boolean(),
  /** Why it is not, or what is going on with it: `expiring` within 30 days, `unused` for 90 days. */
  state: z.enum(['active', 'expiring', 'unused', 'expired', 'revoked', 'creator_gone']),
  rate_limit_per_minute: count,
  /** Of a key that lies open in web pages: from where browsers may send it. Such a key evaluates flags and does nothing else. */
  allowed_origins: z.array(z.string()),
  created_at: instant,
  created_by: z.string(),
  /** While the key before the last re-roll is still good. */
  previous: z.object({ key_prefix: z.string(), expires_at: instant }).nullable(),
})
export type ApiKey = z.output<typeof apiKey>

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/admin/api-keys',
  permission: 'admin.system',
  summary: 'API keys, newest first',
  response: z.object({ keys: z.array(apiKey) }),
  topics: ['api_keys'],
  isPersonal: true,
})

const scope = z.enum(apiKeyScopes)
const expiresAt = z.iso.datetime({ error: 'must be a date and time in UTC' }).nullable()
/** Of keys with allowed origins, and of all others. */
export const mostCalls = { browser: 120_000, other: 10_000 } as const
const rateLimit = z
  .int()
  .min(1, 'must be from 1 to 120,000 calls a minute')
  .max(mostCalls.browser, 'must be from 1 to 120,000 calls a minute')
const origins = z
  .array(
    z
      .string()
      .trim()
      .toLowerCase()
      .max(255)
      .regex(/^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/, 'must be an origin such as https://shop.example'),
  )
  .max(50, '50 origins at most')

const name = z.string().trim().min(1, 'Enter a name').max(80, 'A name has 80 characters at most')
const withKey = z.object({ key: z.string(), api_key: apiKey })

export const createApiKey = endpoint({
  method: 'POST',
  path: '/admin/api-keys',
  permission: 'admin.system',
  summary: 'Make a key, which is answered this once, with no more than you hold',
  body: z.strictObject({
    name,
    permissions: z.array(scope).min(1, 'Choose at least one permission').max(apiKeyScopes.length),
    expires_at: expiresAt.default(null),
    rate_limit_per_minute: rateLimit.default(600),
    allowed_origins: origins.default([]),
  }),
  response: withKey,
})

export const updateApiKey = endpoint({
  method: 'PATCH',
  path: '/admin/api-keys/:id',
  permission: 'admin.system',
  summary: 'Change name, rate limit or allowed origins',
  params: idParams,
  body: z.strictObject({ name, rate_limit_per_minute: rateLimit, allowed_origins: origins }).partial(),
  response: z.object({ api_key: apiKey }),
})

export const rollApiKey = endpoint({
  method: 'POST',
  path: '/admin/api-keys/:id/roll',
  permission: 'admin.system',
  summary: 'Make a new secret; the one before stays good for the overlap',
  params: idParams,
  body: z.strictObject({
    overlap_hours: z
      .int()
      .min(0)
      .max(7 * 24, 'The overlap is seven days at most')
      .default(24),
  }),
  response: withKey,
})

export const revokeApiKey = endpoint({
  method: 'POST',
  path: '/admin/api-keys/:id/revoke',
  permission: 'admin.system',
  summary: 'Make a key useless at once',
  params: idParams,
  body: z.strictObject({}).nullish(),
  response: z.object({ api_key: apiKey }),
})
