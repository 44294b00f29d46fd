import type { SessionState } from '@agency/contract/types'

/** Why the actor may not do what only super admins may, or undefined. */
export const superAdminOnly = ({ actor }: SessionState): string | undefined =>
  actor.role === 'super_admin' ? undefined : 'Only for super admins'
