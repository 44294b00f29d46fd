import type { BrowserContext, Page } from '@playwright/test'
import { adminKey, consoleUrl, expect, signIn, test } from './support/test.ts'

const minute = 60_000
const warning = (page: Page) => page.getByRole('alertdialog')
const login = (page: Page) => page.getByRole('heading', { name: 'Admin Login' })

/** Idle time is counted once the screen has its first answers; notifications are asked for in the same moment. */
async function untilWatched(page: Page, open: () => Promise<unknown>): Promise<void> {
  const asked = page.waitForRequest('**/api/notifications*')
  await open()
  await asked
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

async function threeTabs(context: BrowserContext, first: Page): Promise<[Page, Page, Page]> {
  await context.clock.install({ time: new Date() })
  await untilWatched(first, () => signIn(first))
  const tabs: [Page, Page, Page] = [first, await context.newPage(), await context.newPage()]
  for (const tab of tabs.slice(1)) await untilWatched(tab, () => tab.goto(`${consoleUrl()}/admin/customers`))
  return tabs
}

async function setVisibility(page: Page, state: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    Object.defineProperty(document, 'hidden', { value: value === 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

test('warns after 25 minutes in every tab and logs all out together at 30', async ({ page, context }) => {
  const tabs = await threeTabs(context, page)
  await context.clock.runFor(24.5 * minute)
  for (const tab of tabs) await expect(warning(tab)).toBeHidden()
  await context.clock.runFor(0.6 * minute)
  for (const tab of tabs) await expect(warning(tab)).toBeVisible()
  await context.clock.runFor(3 * minute)
  for (const tab of tabs) await expect(warning(tab)).toBeVisible()
  await context.clock.runFor(2 * minute)
  for (const tab of tabs) await expect(login(tab)).toBeVisible()
})

test('activity in one tab closes the warning of all and keeps them signed in', async ({ page, context }) => {
  const tabs = await threeTabs(context, page)
  await context.clock.runFor(26 * minute)
  for (const tab of tabs) await expect(warning(tab)).toBeVisible()
  await tabs[2].keyboard.press('Shift')
  await context.clock.runFor(1000)
  for (const tab of tabs) await expect(warning(tab)).toBeHidden()
  await context.clock.runFor(24 * minute)
  for (const tab of tabs) await expect(login(tab)).toBeHidden()
})

test('movement does not count while the warning is open, its button does', async ({ page, context }) => {
  await threeTabs(context, page)
  await context.clock.runFor(26 * minute)
  await page.mouse.move(200, 200)
  await page.mouse.move(420, 310)
  await context.clock.runFor(1000)
  await expect(warning(page)).toBeVisible()
  await page.getByRole('button', { name: 'Continue Session' }).click()
  await context.clock.runFor(1000)
  await expect(warning(page)).toBeHidden()
})

test('a hidden tab pauses; coming back counts as activity', async ({ page, context }) => {
  await context.clock.install({ time: new Date() })
  await untilWatched(page, () => signIn(page))
  await setVisibility(page, 'hidden')
  await context.clock.runFor(50 * minute)
  await expect(login(page)).toBeHidden()
  await setVisibility(page, 'visible')
  await context.clock.runFor(24 * minute)
  await expect(warning(page)).toBeHidden()
  await expect(login(page)).toBeHidden()
})

test('the key of a session that ended elsewhere sends the tab to the login', async ({ page }) => {
  await signIn(page)
  const stored = await page.evaluate(() => localStorage.getItem('adminKey'))
  await fetch(`${consoleUrl()}/api/auth/logout`, {
    method: 'POST',
    headers: { 'x-admin-key': stored ?? '', 'content-type': 'application/json' },
    body: '{}',
  })
  expect(stored).not.toBe(adminKey())
  await page.goto(`${consoleUrl()}/admin/customers`)
  await expect(login(page)).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('adminKey'))).toBeNull()
})
