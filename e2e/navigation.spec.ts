import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { openIncident, resolveIncident } from './support/monitoring.ts'
import { api, consoleUrl, expect, openSession, test } from './support/test.ts'

/** Those of an area are opened one after the other by one visitor, whose browser has the code already. */
const built: Record<string, string[]> = {
  'the overview': ['/admin', '/admin/health', '/admin/metrics', '/admin/customers', '/admin/impersonation'],
  sites: [...['/admin/sites', '/admin/deployments', '/admin/domains'], '/admin/domains/:zone/analytics'],
  billing: [
    ...['/admin/subscriptions', '/admin/payments', '/admin/payments?tab=links', '/admin/purchases'],
    '/admin/purchase-reset',
  ],
  monitoring: [
    '/admin/monitor',
    ...['/admin/monitoring/services', '/admin/monitoring/sites', '/admin/monitoring/performance'],
    '/admin/monitoring/drift',
    ...['/admin/incidents', '/admin/incidents/:incident'],
  ],
  alerts: [
    ...['/admin/alerts', '/admin/alerts?tab=rules', '/admin/alerts?tab=maintenance', '/admin/alerts?tab=channels'],
    '/admin/alerts?tab=status',
  ],
  reports: [
    ...['/admin/reports', '/admin/reports/revenue', '/admin/reports/customers', '/admin/reports/usage'],
    ...['/admin/reports/performance', '/admin/reports/revenue?range=last_year'],
  ],
  analytics: ['/admin/analytics', '/admin/analytics?open=score', '/admin/analytics?range=90d'],
  caches: ['/admin/tools/cache', '/admin/tools/cache?cache=answers'],
  queues: [
    ...['/admin/tools/queue', '/admin/tools/queue?tab=causes', '/admin/tools/queue?tab=queues'],
    ...['/admin/tools/queue?tab=schedules', '/admin/tools/queue?tab=runs'],
  ],
  exports: ['/admin/reports?tab=exports'],
  schedules: ['/admin/reports?tab=schedules'],
  backups: ['/admin/tools/backup'],
  administration: [
    ...['/admin/features', '/admin/tools?tab=features'],
    ...['/admin/users', '/admin/audit', '/admin/api-keys', '/admin/config', '/admin/config?tab=outbox'],
    ...['/admin/security', '/admin/security?tab=sessions', '/admin/security?tab=attempts', '/admin/tools?tab=api-keys'],
    ...['/admin/tools', '/admin/tools/database', '/admin/tools/database?side=snippets'],
  ],
}

const redirects: [string, string][] = [
  ['/', '/admin'],
  ['/admin/dashboard', '/admin'],
  ['/admin/nothing', '/admin'],
  ['/admin/reports/nothing', '/admin/reports'],
  ['/admin/tools/nothing', '/admin/tools'],
]

/** The screens of an area by their addresses, one after the other, with something that is there to be shown. */
async function eachOf(screens: readonly string[], look: (screen: string) => Promise<void>): Promise<void> {
  const incident = screens.join().includes(':incident') ? await openIncident('Slow mail') : undefined
  const { domains } = await api<{ domains: { id: string }[] }>('/cloudflare/domains?limit=1')
  try {
    for (const screen of screens)
      await look(screen.replace(':zone', domains[0]!.id).replace(':incident', incident?.id ?? ''))
  } finally {
    if (incident) await resolveIncident(incident)
  }
}

async function open(page: Page, screen: string): Promise<void> {
  await page.goto(`${consoleUrl()}${screen}`)
  // A dialog that its address opens covers the page once it is there.
  const shown = page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog').getByRole('heading', { level: 2 }))
  await expect(shown.first(), screen).toBeVisible()
  await expect(page.locator('[aria-busy="true"]'), screen).toHaveCount(0)
  expect(new URL(page.url()).pathname, screen).toBe(new URL(screen, consoleUrl()).pathname)
}

async function complaints(page: Page): Promise<string[]> {
  const { violations } = await axe(page).analyze()
  return violations.map((violation) => `${violation.id} ${violation.nodes[0]?.html}`)
}

const widths = [320, 390, 900, 1440, 3840]
const usual = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** What each screen owes its visitors. Axe takes most of the time that a screen does, so its rules are for the long run. */
for (const [area, screens] of Object.entries(built)) {
  test(`each screen of ${area} has a heading, keeps its address, fits a phone`, async ({ page }) => {
    await openSession(page)
    await eachOf(screens, async (screen) => {
      await page.setViewportSize(usual)
      await open(page, screen)
      await expectToFit(page, [390], screen)
    })
  })

  const all = `each screen of ${area} passes axe, wide in the light and narrow in the dark, and does not scroll sideways at any width`
  test(all, { tag: '@long' }, async ({ page }) => {
    await openSession(page)
    await eachOf(screens, async (screen) => {
      await page.setViewportSize(usual)
      await open(page, screen)
      expect(await complaints(page), screen).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize(phone)
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
      await expect(page.locator('[aria-busy="true"]'), screen).toHaveCount(0)
      expect(await complaints(page), `${screen}, narrow and dark`).toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
      await expectToFit(page, widths, screen)
    })
  })
}

test('other addresses lead to the nearest screen', async ({ page }) => {
  await openSession(page)
  for (const [from, to] of redirects) {
    await page.goto(`${consoleUrl()}${from}`)
    await expect(page, from).toHaveURL(`${consoleUrl()}${to}`)
  }
})
