import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { watchedSite } from './support/monitoring.ts'
import { added, auditActions } from './support/sites.ts'
import { api, consoleUrl, expect, signIn, test } from './support/test.ts'

test('what is expected of a site is tried, and then saved', async ({ page }) => {
  const { id, site_name } = await watchedSite('oldportbikes')
  await signIn(page, `/admin/sites?open=${id}&tab=configuration`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Keyword', { exact: true }).selectOption('Must be there')
  await dialog.getByLabel('Keyword text').fill('Tables on the moon')
  await dialog.getByRole('button', { name: 'Try now' }).click()
  const result = dialog.getByRole('region', { name: 'Result' })
  await expect(result.getByText('Down', { exact: true })).toBeVisible()
  await expect(result.getByText('Expected "Tables on the moon", not found')).toBeVisible()
  await dialog.getByLabel('Keyword', { exact: true }).selectOption('Must not be there')
  await dialog.getByRole('button', { name: 'Try now' }).click()
  await expect(result.getByText('Healthy', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Save checks' }).click()
  await expect(page.getByText(`Saved the checks of ${site_name}`)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save checks' })).toHaveCount(0)
  const { checks } = await api<{ checks: { keyword: object | null } }>(`/sites/${id}/checks`)
  expect(checks.keyword).toEqual({ text: 'Tables on the moon', mode: 'lacks' })
  expect(await auditActions(id)).toContain('site.update_checks')
})

test('a heartbeat has an address that is shown once; calling it counts', async ({ page, request }) => {
  const { id, site_name } = await added()
  await signIn(page, `/admin/sites?open=${id}&tab=configuration`)
  await page.getByRole('button', { name: 'Create address' }).click()
  const once = page.getByRole('dialog', { name: 'Heartbeat address' })
  const address = (await once.locator('code').textContent()) ?? ''
  expect(address).toMatch(/^http:\/\/[^/]+\/heartbeats\/[\w-]{32}$/)
  await once.getByRole('button', { name: 'I have stored the key' }).click()
  await expect(page.getByText('Waiting for the first call')).toBeVisible()
  expect((await request.post(address)).status()).toBe(200)
  await page.reload()
  await expect(page.getByText('Received', { exact: true })).toBeVisible()
  await page.getByLabel('Expected every, in minutes').fill('60')
  await page.getByRole('button', { name: 'Save heartbeat' }).click()
  await expect(page.getByText(`Saved the heartbeat of ${site_name}`)).toBeVisible()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await expect(page.getByText(`Switched the heartbeat of ${site_name} off`)).toBeVisible()
  // A call that comes within five seconds of one that was kept is not looked up.
  await expect.poll(async () => (await request.post(address)).status()).toBe(404)
})

test('the checks of a site pass axe and fit a phone', { tag: '@long' }, async ({ page }) => {
  const { id } = await watchedSite('barharborbrewing')
  await signIn(page, `/admin/sites?open=${id}&tab=configuration`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Redirects').selectOption('Must redirect to')
  await dialog.getByLabel('Keyword', { exact: true }).selectOption('Must be there')
  await dialog.getByLabel('Keyword text').fill('Beer')
  await dialog.getByLabel('Redirect to').fill(`${consoleUrl()}/`)
  await dialog.getByRole('button', { name: 'Try now' }).click()
  await expect(dialog.getByRole('region', { name: 'Result' })).toBeVisible()
  await expect(dialog.getByText('Registered domain')).toBeVisible()
  expect((await axe(page).include('[role=dialog]').analyze()).violations).toEqual([])
  await expectToFit(page, [320, 390], 'the checks of a site')
})
