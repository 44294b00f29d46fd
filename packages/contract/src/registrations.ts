import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idParams, instant } from './primitives.ts'

/** The registered domain that a site's name stands on, as its registry says. */
export const siteRegistration = z.object({
  /** null: not found out. */
  domain: z.string().nullable(),
  /** null: unknown. */
  expires_at: instant.nullable(),
  /** Whole days; negative once it has expired. */
  days_left: z.int().nullable(),
  registrar: z.string().nullable(),
  checked_at: instant.nullable(),
  /** Why it is not known, in words. */
  problem: z.string().nullable(),
})
export type SiteRegistration = z.output<typeof siteRegistration>

export const getSiteRegistration = endpoint({
  method: 'GET',
  path: '/sites/:id/registration',
  permission: 'sites.read',
  summary: 'When the registration of a site’s domain expires',
  params: idParams,
  response: z.object({ registration: siteRegistration }),
  topics: ['sites'],
  isPersonal: true,
})
