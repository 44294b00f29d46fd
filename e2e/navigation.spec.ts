import { AxeBuilder } from '@axe-core/playwright'
import { consoleUrl, expect, openSession, test } from './support/test.ts'

const screens = [
  '/admin',
  '/admin/health',
  '/admin/metrics',
  '/admin/customers',
  '/admin/impersonation',
  '/admin/sites',
  '/admin/deployments',
  '/admin/domains',
  '/admin/domains/023e105f4ecef8ad9ca31a8372d0c353/analytics',
  '/admin/subscriptions',
  '/admin/payments',
  '/admin/purchases',
  '/admin/purchase-reset',
  '/admin/monitor',
  '/admin/alerts',
  '/admin/incidents',
  '/admin/incidents/1',
  '/admin/monitoring/services',
  '/admin/monitoring/sites',
  '/admin/monitoring/performance',
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

const redirects: [string, string][] = [
  ['/', '/admin'],
  ['/admin/dashboard', '/admin'],
  ['/admin/nothing', '/admin'],
  ['/admin/reports/nothing', '/admin/reports'],
  ['/admin/tools/nothing', '/admin/tools'],
]

test('every route has a heading, keeps its address and passes axe', async ({ page }) => {
  test.setTimeout(300_000)
  await openSession(page)
  for (const screen of screens) {
    await page.goto(`${consoleUrl()}${screen}`)
    await expect(page.getByRole('heading', { level: 1 }), screen).toBeVisible()
    await expect(page.locator('[aria-busy="true"]'), screen).toHaveCount(0)
    expect(new URL(page.url()).pathname, screen).toBe(screen)
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map((violation) => `${screen}: ${violation.id} ${violation.nodes[0]?.html}`)).toEqual([])
  }
})

test('other addresses lead to the nearest screen', async ({ page }) => {
  await openSession(page)
  for (const [from, to] of redirects) {
    await page.goto(`${consoleUrl()}${from}`)
    await expect(page, from).toHaveURL(`${consoleUrl()}${to}`)
  }
})

for (const width of [320, 390, 900, 1440, 3840]) {
  test(`no screen scrolls sideways at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await openSession(page)
    for (const screen of [
      '/admin',
      '/admin/customers',
      '/admin/subscriptions',
      '/admin/payments',
      '/admin/purchases',
      '/admin/audit',
      '/admin/security',
      '/admin/security?tab=sessions',
      '/admin/security?tab=attempts',
      '/admin/api-keys',
      '/admin/config',
      '/admin/config?tab=outbox',
    ]) {
      await page.goto(`${consoleUrl()}${screen}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow, screen).toBeLessThanOrEqual(0)
    }
  })
}
