import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { addColleague, openAs } from './support/people.ts'
import { consoleUrl, expect, test } from './support/test.ts'

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' })

/** Every entry of the navigation, its groups opened. */
async function entriesOf(page: Page): Promise<string[]> {
  await expect(main(page)).toBeVisible()
  const closed = main(page).locator('button[aria-expanded="false"]')
  while ((await closed.count()) > 0) await closed.first().click()
  return main(page).getByRole('link').allTextContents()
}

test('support sees customers, sites and monitoring, and nothing of money or the system', async ({ page }) => {
  await openAs(page, await addColleague('support'))
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(await entriesOf(page)).toEqual([
    ...['Dashboard', 'System Health', 'All Customers', 'Customer Sites', 'Cloudflare Domains', 'User Impersonation'],
    ...['Site Monitor', 'System Metrics', 'Deployment Status', 'Alerts', 'Incidents', 'Money Drift'],
  ])
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(2)
  await expect(cards.first()).toContainText('Total Sites')
  const quick = page.getByRole('navigation', { name: 'Quick Actions' })
  await expect(quick.getByRole('link')).toHaveText(['Manage Customers', 'Site Management'])
  await expect(page.getByText('Needs the permission')).toHaveCount(0)
  await expectToFit(page, [390, 900], 'the dashboard of support')
})

test('somebody who may only see reports starts on them, after the login and at /admin', async ({ page }) => {
  const reader = await addColleague('readonly')
  await page.goto(`${consoleUrl()}/admin`)
  await page.getByRole('link', { name: 'Sign in with email' }).click()
  await page.getByLabel('Email').fill(reader.email)
  await page.getByLabel('Password', { exact: true }).fill(reader.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(`${consoleUrl()}/admin/reports/revenue`)
  await expect(page.getByRole('heading', { level: 1, name: 'Reports & Analytics' })).toBeVisible()
  expect(await entriesOf(page)).toEqual([
    ...['System Health', 'System Metrics', 'Revenue', 'Usage', 'Customers', 'Performance', 'System Analytics'],
  ])
  await page.goto(`${consoleUrl()}/admin/nothing`)
  await expect(page).toHaveURL(`${consoleUrl()}/admin/reports/revenue`)
})

test('a screen that is not theirs names whom to ask', async ({ page }) => {
  const boss = await addColleague('super_admin', 'Boss')
  await openAs(page, await addColleague('readonly'), '/admin/payments')
  await expect(page.getByRole('heading', { level: 1, name: 'Payment History' })).toBeVisible()
  await expect(page.getByText(/^Payment History needs the permission “View billing” billing\.read\./)).toContainText(
    boss.name,
  )
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
})
