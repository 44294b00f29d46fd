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
] as const

export const permission = z.enum(permissions)
export type Permission = z.output<typeof permission>

/**
 * What a call needs: a permission, `any` key that is valid, or nothing at all (`public`).
 * `public` is for the few calls of decisions 3.6 only; the matrix test lists them by name.
 */
export type Access = Permission | 'any' | 'public'
