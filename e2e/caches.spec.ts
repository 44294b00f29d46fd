import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { api, dataRows, expect, sandbox, signIn, test } from './support/test.ts'

type Entry = { details: string }
const expectEntry = (details: string) =>
  expect
    .poll(async () => (await api<{ entries: Entry[] }>('/admin/audit?limit=20')).entries.map((entry) => entry.details))
    .toContain(details)

async function expectAxe(page: Page): Promise<void> {
  expect((await axe(page).analyze()).violations).toEqual([])
}

/** An answer that is ready from now on, whatever its age. */
const warm = async () => {
  for (let time = 0; time < 2; time++) await api('/stripe/plans')
}

test('statistics of the real caches are shown and refreshed', async ({ page }) => {
  await warm()
  await signIn(page, '/admin/tools/cache')
  await page.getByRole('button', { name: 'Refresh Stats' }).click()
  await expect(page.getByText('Stats refreshed')).toBeVisible()
  const stats = page.getByRole('region', { name: 'Cache statistics' })
  for (const label of ['Total keys', 'Memory usage', 'Hit rate', 'Miss rate', 'Last eviction'])
    await expect(stats.getByText(label, { exact: true })).toBeVisible()
  await expect(stats.getByText(/^\d+(\.\d+)? MB$/)).toBeVisible()
  for (const name of ['Answers', 'Sessions', 'Domain list', 'Analytics'])
    await expect(page.getByRole('row', { name: new RegExp(`^${name}`) })).toBeVisible()
  await expect(page.getByRole('row', { name: /^Answers/ }).getByText(/^Console \d+ on /)).toBeVisible()
  await page.getByLabel('Cache', { exact: true }).selectOption('answers')
  await expect(dataRows(page)).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Last 24 hours: Answers' })).toBeVisible()
  await expectAxe(page)
  await expectToFit(page, [1440, 900, 390], 'caches')
})

test('a pattern is counted and looked at before it is cleared', async ({ page }) => {
  await warm()
  await signIn(page, '/admin/tools/cache?cache=answers')
  await page.getByRole('button', { name: 'Clear by Pattern' }).click()
  await expect(page.getByText('Enter a pattern first, such as /api/stripe/*')).toBeVisible()
  await page.getByLabel('Pattern').fill('/api/nothing/like/this')
  await page.getByRole('button', { name: 'Clear by Pattern' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Clear by pattern' })
  await dialog.getByRole('button', { name: 'Clear 0 keys' }).click()
  await expect(dialog.getByText('No key matches')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByLabel('Pattern').fill('/api/stripe/plan*')
  await warm()
  // By the keyboard.
  await page.getByLabel('Pattern').press('Tab')
  await page.getByRole('button', { name: 'Clear by Pattern' }).press('Enter')
  await expect(dialog.getByRole('list', { name: /of the keys$/ }).getByText('/api/stripe/plans')).toBeVisible()
  await expect(dialog.getByText(/Answers are read from the database again/)).toBeVisible()
  await expectAxe(page)
  await dialog.getByRole('button', { name: /^Clear [1-9]\d* keys?$/ }).press('Enter')
  const outcome = page.getByRole('status').filter({ hasText: /^Cleared [1-9]\d* keys? in one process/ })
  await expect(outcome).toBeVisible()
  await expect(outcome.getByText(/^Answers, [1-9]\d* keys?: Answers are read from the database again/)).toBeVisible()
  await expectEntry('Cleared the cache answers: keys like /api/stripe/plan*')
})

test('all caches are cleared once that is confirmed', async ({ page }) => {
  await warm()
  await signIn(page, '/admin/tools/cache')
  await page.getByRole('button', { name: 'Clear All Cache' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Clear all cache' })
  await expect(dialog.getByText(/^All [1-9][\d,]* keys, in every process\.$/)).toBeVisible()
  await expect(dialog.getByText(/Everybody stays signed in/)).toBeVisible()
  await expectAxe(page)
  await dialog.getByRole('button', { name: /^Clear [1-9][\d,]* keys$/ }).click()
  await expect(page.getByRole('status').filter({ hasText: /^Cleared [1-9][\d,]* keys in one process/ })).toBeVisible()
  await expectEntry('Cleared all caches')
  // Whoever cleared them is signed in still.
  await page.reload()
  await expect(page.getByRole('button', { name: 'Clear All Cache' })).toBeVisible()
})

test('the cache of Cloudflare is purged from the same screen', async ({ page }) => {
  // The list is read from Cloudflare soon after the start.
  await expect.poll(async () => (await api<{ total?: number }>('/cloudflare/domains')).total ?? 0).toBeGreaterThan(0)
  await signIn(page, '/admin/tools/cache')
  const panel = page.getByRole('region', { name: 'Cloudflare cache' })
  await expect(panel.getByLabel('Domain')).toBeVisible()
  await panel.getByRole('button', { name: 'Purge cache' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Purge cache' })
  await expectAxe(page)
  await dialog.getByRole('button', { name: /^Purge/ }).click()
  await expect(page.getByText(/^Purged the cache of /)).toBeVisible()
  const purges = (await sandbox.requests()).filter(({ path }) => path.endsWith('/purge_cache'))
  expect(purges.length).toBeGreaterThan(0)
})
