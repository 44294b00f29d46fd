import { expect, test } from 'vitest'
import { currentEntry, isGroup, navigation } from './navigation.ts'
import { routeOf } from './preload.ts'

test('the tree is the specified one', () => {
  const tree = navigation.map((entry) =>
    isGroup(entry)
      ? { [`${entry.label}${entry.startsOpen ? ' (open)' : ''}`]: entry.items.map((i) => `${i.label} ${i.path}`) }
      : `${entry.label} ${entry.path}`,
  )
  expect(tree).toMatchSnapshot()
})

test('every entry leads to a screen', () => {
  const items = navigation.flatMap((entry) => (isGroup(entry) ? entry.items : [entry]))
  expect(items.filter(({ path }) => routeOf(path)?.to !== undefined || !routeOf(path)?.title)).toEqual([])
})

test.each([
  ['/admin', 'Dashboard', undefined],
  ['/admin/health', 'System Health', undefined],
  ['/admin/metrics', 'System Metrics', 'Monitoring'],
  ['/admin/impersonation/imp_1', 'User Impersonation', 'Customer Management'],
  ['/admin/domains/z1/analytics', 'Cloudflare Domains', 'Customer Management'],
  ['/admin/incidents/i1', 'Incidents', 'Monitoring'],
  ['/admin/monitoring/sites', 'Site Monitor', 'Monitoring'],
  ['/admin/monitoring/drift', 'Money Drift', 'Monitoring'],
  ['/admin/reports', 'Revenue', 'Reports & Analytics'],
  ['/admin/reports?tab=exports', 'Exports', 'Reports & Analytics'],
  ['/admin/reports?state=ready&tab=schedules', 'Report schedules', 'Reports & Analytics'],
  ['/admin/reports?tab=constructor', 'Revenue', 'Reports & Analytics'],
  ['/admin/tools', 'Database Query', 'Admin Tools'],
  ['/admin/tools?tab=features&open=flag_1', 'Feature Flags', 'Admin Tools'],
  ['/admin/tools?tab=api-keys', 'API Keys', 'Admin Tools'],
  ['/admin/tools/cache', 'Cache Management', 'Admin Tools'],
])('%s stands under %s', (address, label, group) => {
  const { pathname, search } = new URL(address, 'https://console.example')
  const current = currentEntry(pathname, search)
  expect(current?.item.label).toBe(label)
  expect(current?.group?.label).toBe(group)
})
