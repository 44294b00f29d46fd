import type { Access, DashboardSection } from '@agency/contract/types'
import { paths } from './paths.ts'
import { denialOf, useSession } from './session.ts'

/** What each section of the dashboard needs: what the screen of its own needs. */
export const sectionAccess: Readonly<Record<DashboardSection, Access>> = {
  stats: 'billing.read',
  customers: 'customers.read',
  payments: 'billing.read',
  health: 'any',
  domains: 'sites.read',
  sites: 'sites.read',
  deployments: 'sites.read',
}

/** One of these. */
type Needs = readonly Access[]

/**
 * What the screens need that not everybody may open. A tab that needs something else is named with it. A test compares all with
 * the calls that they make first: their descriptors are not here, so that the shell loads those of no other screen.
 */
const screenAccess: Readonly<Record<string, Access | Needs>> = {
  // Health alone has a screen of its own.
  [paths.dashboard]: Object.values(sectionAccess).filter((access) => access !== 'any'),
  [paths.customers]: 'customers.read',
  [paths.impersonation]: 'customers.read',
  '/admin/impersonation/:id': 'customers.write',
  [paths.sites]: 'sites.read',
  [paths.domains]: 'sites.read',
  '/admin/domains/:id/analytics': 'analytics.read',
  [paths.deployments]: 'sites.read',
  [paths.subscriptions]: 'billing.read',
  [paths.payments]: 'billing.read',
  [paths.purchases]: 'billing.read',
  [paths.purchaseReset]: 'billing.read',
  [paths.monitor]: 'sites.read',
  [paths.monitoringServices]: 'sites.read',
  [paths.monitoringSites]: 'sites.read',
  [paths.alerts]: 'sites.read',
  [paths.incidents]: 'sites.read',
  '/admin/incidents/:id': 'sites.read',
  ...reportAccess(
    paths.reports,
    paths.revenueReport,
    paths.usageReport,
    paths.customersReport,
    paths.performanceReport,
  ),
  [paths.analytics]: 'analytics.read',
  [paths.moneyDrift]: 'sites.read',
  [paths.tools]: 'admin.system',
  [paths.database]: 'admin.system',
  [paths.cache]: 'admin.system',
  [paths.queue]: 'admin.system',
  [paths.backup]: 'admin.system',
  [paths.users]: 'admin.users',
  [paths.profile]: 'any',
  [paths.features]: 'admin.system',
  [paths.apiKeys]: 'admin.system',
  [paths.config]: 'admin.system',
  [paths.audit]: 'admin.system',
  [paths.security]: 'admin.system',
}

/** Each of them has the same tabs beside itself: whoever may see a list may export it, and finds the file there. */
function reportAccess(...reports: readonly string[]): Record<string, Access> {
  return Object.fromEntries(
    reports.flatMap((path) => [
      [path, 'analytics.read'],
      [`${path}?tab=exports`, 'any'],
      [`${path}?tab=schedules`, 'any'],
    ]),
  )
}

/** What opens a screen, by its path or its route's pattern: any one of these. */
export function accessOf(path: string, tab: string | null = null): Needs {
  const needed = screenAccess[`${path}?tab=${tab}`] ?? screenAccess[path] ?? 'any'
  return typeof needed === 'string' ? [needed] : needed
}

export const holdsOne = (needed: Needs, held: readonly Access[]): boolean =>
  needed.some((access) => denialOf(access, held) === undefined)

/** Whether somebody who holds these may open the screen that a link leads to. */
export function mayOpen(href: string, held: readonly Access[]): boolean {
  const { pathname, searchParams } = new URL(href, 'http://console')
  return holdsOne(accessOf(pathname, searchParams.get('tab')), held)
}

const nothing: readonly Access[] = []

/** For links: may the one who is signed in open where they lead? */
export function useMayOpen(): (href: string) => boolean {
  const session = useSession()
  const held = session.phase === 'signed-in' ? session.state.actor.permissions : nothing
  return (href) => mayOpen(href, held)
}
