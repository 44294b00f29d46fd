import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { addColleague, openAs } from './support/people.ts'
import { consoleUrl, expect, signIn, test } from './support/test.ts'

const html = (page: Page) => page.locator('html')
const colorOf = (page: Page, property: 'color' | 'backgroundColor') =>
  page.evaluate((name) => getComputedStyle(document.body)[name], property)
const [lightPage, darkPage] = ['rgb(245, 246, 248)', 'rgb(17, 20, 24)']

async function choose(page: Page, account: string, name: string): Promise<void> {
  await page.getByRole('button', { name: `Account: ${account}` }).click()
  await page.getByRole('menuitemradio', { name }).click()
}

test('a theme that was chosen is there at the next start before anything is painted, and on the login', async ({
  page,
}) => {
  await signIn(page)
  await expect(html(page)).toHaveAttribute('data-theme', 'light')
  await choose(page, 'Admin User', 'Dark theme')
  expect(await colorOf(page, 'backgroundColor')).toBe(darkPage)
  // What the page looks like as soon as it has a body, and at every change of it.
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      if (document.body) seen.push(document.documentElement.dataset['theme'] ?? 'none')
    }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-theme'] })
  })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(await page.evaluate(() => [...new Set((window as unknown as { seen: string[] }).seen)])).toEqual(['dark'])
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
  expect(await colorOf(page, 'backgroundColor')).toBe(darkPage)
})

test('nothing chosen follows the device, also while it changes', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(await colorOf(page, 'backgroundColor')).toBe(darkPage)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => colorOf(page, 'backgroundColor')).toBe(lightPage)
})

test('paper is light', async ({ page }) => {
  await signIn(page)
  await choose(page, 'Admin User', 'Dark theme')
  await page.emulateMedia({ media: 'print' })
  expect(await colorOf(page, 'backgroundColor')).toBe(lightPage)
  expect(await colorOf(page, 'color')).toBe('rgb(27, 31, 36)')
})

test('the theme of a person follows them to another browser', async ({ page, browser }) => {
  const person = await addColleague('support')
  await openAs(page, person)
  const kept = page.waitForResponse((response) => response.url().endsWith('/auth/theme') && response.ok())
  await choose(page, person.name, 'Dark theme')
  await kept
  const elsewhere = await (await browser.newContext()).newPage()
  await elsewhere.goto(`${consoleUrl()}/admin#email`)
  await expect(html(elsewhere)).toHaveAttribute('data-theme', 'light')
  await elsewhere.getByLabel('Email').fill(person.email)
  await elsewhere.getByLabel('Password', { exact: true }).fill(person.password)
  await elsewhere.getByRole('button', { name: 'Sign In' }).click()
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(html(elsewhere)).toHaveAttribute('data-theme', 'dark')
  await elsewhere.context().close()
})

test('the menus and dialogs of the library are dark too', async ({ page }) => {
  await signIn(page, '/admin/customers')
  await choose(page, 'Admin User', 'Dark theme')
  await page.getByRole('button', { name: 'Add Customer' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Customer' })
  await expect(dialog).toBeVisible()
  expect(await dialog.evaluate((paper) => getComputedStyle(paper).backgroundColor)).toBe('rgb(24, 28, 33)')
  await expect(html(page)).toHaveAttribute('data-theme', 'dark')
})

async function complaints(page: Page, what: string): Promise<string[]> {
  await expect(page.locator('[aria-busy="true"]'), what).toHaveCount(0)
  const { violations } = await axe(page).analyze()
  return violations.map((violation) => `${what}: ${violation.id} ${violation.nodes[0]?.html}`)
}

for (const scheme of ['light', 'dark'] as const)
  test(`the dashboard, a list, its account menu and the login pass axe in the ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(`${consoleUrl()}/admin`)
    await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
    expect(await complaints(page, 'login')).toEqual([])
    await signIn(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    expect(await complaints(page, 'dashboard')).toEqual([])
    await page.goto(`${consoleUrl()}/admin/payments`)
    await expect(page.getByRole('heading', { level: 1, name: 'Billing' })).toBeVisible()
    expect(await complaints(page, 'payments')).toEqual([])
    await page.getByRole('button', { name: 'Account: Admin User' }).click()
    await expect(page.getByRole('menuitemradio').first()).toBeVisible()
    expect(await complaints(page, 'account menu')).toEqual([])
  })
