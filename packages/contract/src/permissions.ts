import { z } from 'zod'

export const permissions = [
  'customers.read',
  'customers.write',
  'customers.delete',
  'sites.read',
  'sites.write',
  'sites.deploy',
  'billing.read',
  'billing.write',
  'analytics.read',
  'support.read',
  'support.write',
  'admin.users',
  'admin.system',
  'admin.sql_write',
] as const

export const permission = z.enum(permissions)
export type Permission = z.output<typeof permission>

export const systemRoles = ['super_admin', 'admin', 'support', 'readonly'] as const
export type SystemRole = (typeof systemRoles)[number]

/** The scopes that an API key may be given. */
export const apiKeyPermissions = [
  'customers.read',
  'sites.read',
  'analytics.read',
  'billing.read',
] as const satisfies readonly Permission[]

/** Scopes that no role has: whoever makes keys may give them. */
export const keyScopes = ['metrics.read', 'flags.evaluate'] as const
export type KeyScope = (typeof keyScopes)[number]

export const apiKeyScopes = [...apiKeyPermissions, ...keyScopes] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/**
 * What a call needs: a permission, a scope of API keys, `any` key that is valid, a session whose sign-in may still be under way
 * (`signing_in`), or nothing at all (`public`). `public` is for the few calls of decisions 3.6 only; the matrix test
 * lists them by name.
 */
export type Access = Permission | KeyScope | 'any' | 'signing_in' | 'public'

export const isKeyScope = (text: string): text is KeyScope => (keyScopes as readonly string[]).includes(text)
export const isPermission = (text: string): text is Permission => (permissions as readonly string[]).includes(text)
