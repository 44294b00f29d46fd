import { expect, test } from 'vitest'
import { routeOf } from './preload.ts'
import { routes } from './routes.tsx'

// Decisions 2, line by line.
const screens = [
  '/admin',
  '/admin/health',
  '/admin/metrics',
  '/admin/customers',
  '/admin/impersonation',
  '/admin/impersonation/imp_1',
  '/admin/sites',
  '/admin/deployments',
  '/admin/domains',
  '/admin/domains/zone_1/analytics',
  '/admin/subscriptions',
  '/admin/payments',
  '/admin/purchases',
  '/admin/purchase-reset',
  '/admin/monitor',
  '/admin/alerts',
  '/admin/incidents',
  '/admin/incidents/inc_1',
  '/admin/monitoring/services',
  '/admin/monitoring/sites',
  '/admin/monitoring/performance',
  '/admin/monitoring/drift',
  '/admin/reports',
  '/admin/reports/revenue',
  '/admin/reports/usage',
  '/admin/reports/customers',
  '/admin/reports/performance',
  '/admin/analytics',
  '/admin/tools',
  '/admin/tools/database',
  '/admin/tools/cache',
  '/admin/tools/queue',
  '/admin/tools/backup',
  '/admin/users',
  '/admin/audit',
  '/admin/security',
  '/admin/features',
  '/admin/api-keys',
  '/admin/config',
]

test.each(screens)('%s is a screen of its own', (path) => {
  const route = routeOf(path)
  expect(route?.to).toBeUndefined()
  expect(route?.title).toBeTruthy()
})

test.each([
  ['/', '/admin'],
  ['/nowhere', '/admin'],
  ['/admin/dashboard', '/admin'],
  ['/admin/nowhere', '/admin'],
  ['/admin/domains/zone_1/nowhere', '/admin'],
  ['/admin/reports/nowhere', '/admin/reports'],
  ['/admin/reports/revenue/more', '/admin/reports'],
  ['/admin/tools/nowhere', '/admin/tools'],
])('%s leads to %s', (from, to) => {
  expect(routeOf(from)?.to).toBe(to)
})

test('the map has nothing else', () => {
  expect(routes.map(({ path, title, to }) => `${path} ${to ? `→ ${to}` : `“${title}”`}`)).toMatchSnapshot()
})
