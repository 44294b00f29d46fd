import * as billing from '@agency/contract/descriptors/billing'
import * as customers from '@agency/contract/descriptors/customers'
import * as deployments from '@agency/contract/descriptors/deployments'
import * as domains from '@agency/contract/descriptors/domains'
import * as sites from '@agency/contract/descriptors/sites'
import type { Access, DashboardSection, Permission } from '@agency/contract/types'
import { expect, test } from 'vitest'
import matrix from '../../../../docs/access-matrix.md?raw'
import { accessOf, sectionAccess } from '../lib/screen-access.ts'
import { homeOf, isGroup, navigation, navigationOf } from './navigation.ts'
import { routes } from './routes.tsx'

/** What the server lets each role do: a test of its own compares every cell with its answers. */
const lines = matrix.split('\n').filter((line) => line.startsWith('|'))
const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
const columns = cellsOf(lines[0] ?? '')
const rows = lines.slice(2).map((line) => cellsOf(line))
const cell = (row: readonly string[], column: string) => row[columns.indexOf(column)] ?? ''

function isAnswered(role: string, path: string): boolean {
  const row = rows.find((each) => cell(each, 'call') === `\`GET ${path}\``)
  if (!row) throw new Error(`no row for ${path}`)
  return cell(row, role) === 'yes'
}

/** The permissions of a role, as the calls tell them. */
const heldBy = (role: string) =>
  [...new Set(rows.filter((row) => cell(row, role) === 'yes').map((row) => cell(row, 'needs')))].filter(
    (needs): needs is Permission => needs.includes('.'),
  )

/** What a screen reads first. The dashboard answers everybody and sums up what these answer. */
async function firstCallOf(path: string): Promise<string[]> {
  if (path === '/admin') return ['/stripe/customers', '/stripe/payments', '/sites']
  const page = await routes.find((route) => route.path === path)?.load?.()
  const [first] = page?.queriesFor?.(new URLSearchParams(), path) ?? []
  return first ? [String(first.queryKey[0])] : []
}

const pathsOf = (entries: typeof navigation) =>
  entries.flatMap((entry) => (isGroup(entry) ? entry.items : [entry])).map(({ path }) => path)

test.each(['super_admin', 'admin', 'support', 'readonly'])(
  'the navigation of %s is exactly what the server answers',
  async (role) => {
    const expected: string[] = []
    for (const path of pathsOf(navigation)) {
      const calls = await firstCallOf(path)
      // A tool that reads nothing yet is for whoever may use the others.
      const isOpen = calls.length > 0 ? calls.some((call) => isAnswered(role, call)) : isAnswered(role, '/admin/queues')
      if (isOpen) expected.push(path)
    }
    expect(pathsOf(navigationOf(heldBy(role)))).toEqual(expected)
  },
)

test('a group without a screen is not there', () => {
  const labels = navigationOf(['analytics.read']).map(({ label }) => label)
  expect(labels).toEqual(['System Health', 'Monitoring', 'Reports & Analytics'])
})

test.each<[string, Permission[], string]>([
  ['the dashboard, if it holds something for them', ['sites.read'], '/admin'],
  ['the reports', ['analytics.read'], '/admin/reports/revenue'],
  ['the people', ['admin.users'], '/admin/users'],
  ['the tools', ['admin.system'], '/admin/tools/database'],
  ['the health that everybody may see', ['support.write'], '/admin/health'],
])('somebody starts on %s', (_what, held, home) => {
  expect(homeOf(held)).toBe(home)
})

test('every screen that is built, and each of its tabs, needs what its own first call needs', async () => {
  const wrong: string[] = []
  let compared = 0
  for (const { path, load } of routes) {
    // The dashboard answers everybody; its sections are compared below.
    if (path === '/admin') continue
    const page = await load?.()
    for (const tab of [null, 'exports', 'schedules', 'features', 'api-keys']) {
      const params = new URLSearchParams(tab ? { tab } : {})
      const [first] = page?.queriesFor?.(params, path) ?? []
      const access: readonly Access[] = accessOf(path, tab)
      if (first && !(access.length === 1 && access[0] === first.meta.permission)) wrong.push(`${path}?tab=${tab}`)
      if (first) compared++
    }
  }
  expect(wrong).toEqual([])
  expect(compared).toBeGreaterThan(100)
})

test('each section of the dashboard needs what its own screen needs', () => {
  const calls: Record<Exclude<DashboardSection, 'health'>, Access> = {
    stats: billing.getStats.permission,
    customers: customers.listCustomers.permission,
    payments: billing.listPayments.permission,
    domains: domains.listDomains.permission,
    sites: sites.listSites.permission,
    deployments: deployments.listDeployments.permission,
  }
  expect(sectionAccess).toEqual({ ...calls, health: 'any' })
})
