import type { SiteStatus, SiteStatusChange } from '@agency/contract/types'

type Cause = SiteStatusChange['cause']

/** What may become of a status, and by what; everything else is refused. */
const allowed: Record<SiteStatus, Partial<Record<Cause, readonly SiteStatus[]>>> = {
  pending: {
    by_hand: ['active', 'maintenance'],
    expired: ['active', 'maintenance'],
    deployment: ['deploying', 'active'],
    suspension: ['suspended'],
    deletion: ['deleted'],
  },
  deploying: {
    deployment: ['active', 'pending'],
    suspension: ['suspended'],
    deletion: ['deleted'],
  },
  active: {
    by_hand: ['pending', 'maintenance'],
    expired: ['pending', 'maintenance'],
    deployment: ['deploying'],
    suspension: ['suspended'],
    deletion: ['deleted'],
  },
  maintenance: {
    by_hand: ['pending', 'active'],
    expired: ['pending', 'active'],
    suspension: ['suspended'],
    deletion: ['deleted'],
  },
  suspended: {
    resumption: ['pending', 'active', 'maintenance'],
    deletion: ['deleted'],
  },
  deleted: {},
}

export const mayChange = (from: SiteStatus, to: SiteStatus, cause: Cause): boolean =>
  allowed[from][cause]?.includes(to) ?? false

const byHand = ['pending', 'active', 'maintenance'] as const
export type HandStatus = (typeof byHand)[number]

/** What a person may set it to; its own status again is a new reason or another end. */
export const nextByHand = (from: SiteStatus): HandStatus[] =>
  byHand.filter((to) => mayChange(from, to, 'by_hand') || (to === from && from === 'maintenance'))

export type DeploymentNews = 'started' | 'succeeded' | 'ended'

/** What a deployment makes of it. A site that is suspended, in maintenance or deleted stays so. */
export function afterDeployment(from: SiteStatus, news: DeploymentNews, wasDeployed: boolean): SiteStatus {
  if (news === 'started') return from === 'pending' || from === 'active' ? 'deploying' : from
  if (news === 'succeeded') return from === 'pending' || from === 'deploying' ? 'active' : from
  return from === 'deploying' ? settled(from, wasDeployed) : from
}

/** The status without anything under way: a site that was never deployed is pending. */
export function settled(status: SiteStatus, wasDeployed: boolean): HandStatus {
  if (status === 'maintenance' || status === 'pending' || status === 'active') return status
  return wasDeployed ? 'active' : 'pending'
}
