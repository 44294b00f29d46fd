import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { adminKey, api, consoleUrl, expect, signInByForm, test } from './support/test.ts'

const statusOf = async (key: string | null) =>
  (await fetch(`${consoleUrl()}/api/auth/session`, { headers: { 'x-admin-key': key ?? '' } })).status
const hasLoaded = (page: Page, part: string) =>
  page.evaluate((name) => performance.getEntriesByType('resource').some((each) => each.name.includes(name)), part)
const keptKeys = (page: Page) => page.evaluate(() => localStorage.getItem('agency.keysToRevoke'))

test.describe('signing in', () => {
  test('asks for the key, refuses an empty and a wrong one with the given words', async ({ page }) => {
    await page.goto(`${consoleUrl()}/admin`)
    await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
    await page.getByLabel('Admin Key').fill('   ')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Please enter an admin key')).toBeVisible()
    await page.getByLabel('Admin Key').fill('not the key of this console')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Invalid admin key. Please try again.')).toBeVisible()
  })

  test('says so when the server cannot be asked', async ({ page }) => {
    await page.goto(`${consoleUrl()}/admin`)
    await page.route('**/api/auth/login', (route) => route.abort())
    await page.getByLabel('Admin Key').fill(adminKey())
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Authentication failed. Please try again.')).toBeVisible()
  })

  test('starts at the heading of the screen; a reload leaves the focus where a page begins', async ({ page }) => {
    await signInByForm(page, '/admin/sites')
    await expect(page.getByRole('heading', { level: 1, name: 'Site Management' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('heading', { level: 1 })).not.toBeFocused()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Site Management' })).toBeVisible()
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
  })

  test('goes to the address that was asked for and keeps only a session key', async ({ page }) => {
    await signInByForm(page, '/admin/customers?status=active')
    await expect(page).toHaveURL(/\/admin\/customers\?status=active/)
    const stored = await page.evaluate(() => localStorage.getItem('adminKey'))
    expect(stored).toBeTruthy()
    expect(stored).not.toBe(adminKey())
    expect(await statusOf(stored)).toBe(200)
  })

  test('logging out revokes the key in every tab and goes to /admin', async ({ page, context }) => {
    await signInByForm(page, '/admin/customers')
    const other = await context.newPage()
    await other.goto(`${consoleUrl()}/admin/subscriptions`)
    await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
    const stored = await page.evaluate(() => localStorage.getItem('adminKey'))
    await page.getByRole('button', { name: 'Logout' }).first().click()
    await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
    await expect(page).toHaveURL(/\/admin$/)
    await expect(other.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
    await expect.poll(() => statusOf(stored)).toBe(401)
    await expect.poll(() => keptKeys(page)).toBeNull()
  })

  test('a logout that is lost is told, and sent again when the connection is back', async ({ page, context }) => {
    await signInByForm(page, '/admin/customers')
    // Opened with a key that it had, the page never showed the login screen.
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible()
    await expect.poll(() => hasLoaded(page, 'LoginScreen')).toBe(true)
    const stored = await page.evaluate(() => localStorage.getItem('adminKey'))
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Logout' }).first().click()
    await expect(page.getByText('your session there is still open')).toBeVisible()
    expect(await statusOf(stored)).toBe(200)
    const { violations } = await axe(page).analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
    await context.setOffline(false)
    await expect.poll(() => statusOf(stored)).toBe(401)
    await expect(page.getByText('your session there is still open')).toBeHidden()
    expect(await keptKeys(page)).toBeNull()
  })

  test('a logout that is lost with its page is sent again by the next one', async ({ page }) => {
    await signInByForm(page, '/admin/customers')
    const stored = await page.evaluate(() => localStorage.getItem('adminKey'))
    await page.route('**/api/auth/logout', (route) => route.abort())
    await page.getByRole('button', { name: 'Logout' }).first().click()
    await expect(page.getByText('your session there is still open')).toBeVisible()
    await page.goto('about:blank')
    expect(await statusOf(stored)).toBe(200)
    await page.unroute('**/api/auth/logout')
    await page.goto(`${consoleUrl()}/admin`)
    await expect.poll(() => statusOf(stored)).toBe(401)
    await expect.poll(() => keptKeys(page)).toBeNull()
  })
})

test('the admin key works for scripts, with every permission', async () => {
  const state = await api<{ actor: { name: string; role: string } }>('/auth/session')
  expect(state.actor).toMatchObject({ name: 'Admin key', role: 'super_admin' })
})
