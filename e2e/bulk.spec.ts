import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { auditActions, type Site, siteOf } from './support/sites.ts'
import { api, expect, sandbox, signIn, test } from './support/test.ts'

const selectAll = (page: Page) => page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
const chosen = (page: Page) => page.getByRole('toolbar', { name: 'Selected rows' })
const auditOfCustomer = async (id: string) =>
  (await api<{ entries: { action: string }[] }>(`/admin/audit?resource=customer&resource_id=${id}`)).entries.map(
    ({ action }) => action,
  )

test('several accounts are suspended, and their suspensions lifted: previewed and told row by row', async ({
  page,
}) => {
  const group = `Bulk ${crypto.randomUUID().slice(0, 8)}`
  const ids: string[] = []
  for (const name of [`${group} One`, `${group} Two`]) {
    const { customer } = await sandbox.scenario<{ customer: string }>('customer_created', { name })
    ids.push(customer)
  }
  const statusOf = async (id: string) =>
    (await api<{ customer?: { status: string } }>(`/stripe/customers/${id}`)).customer?.status
  for (const id of ids) await expect.poll(() => statusOf(id)).toBeTruthy()
  await signIn(page, `/admin/customers?search=${encodeURIComponent(group)}`)
  await selectAll(page)
  await expect(chosen(page).getByText('2 selected')).toBeVisible()
  await expect(chosen(page).getByRole('button', { name: 'Lift suspension' })).toBeDisabled()
  await chosen(page).getByRole('button', { name: 'Suspend' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Suspend 2 accounts' })
  const rows = dialog.getByRole('list', { name: 'Selected accounts' }).getByRole('listitem')
  await expect(rows.filter({ hasText: 'No live subscriptions' })).toHaveCount(2)
  await dialog.getByLabel('Abuse').check()
  const confirm = dialog.getByRole('button', { name: 'Suspend 2 accounts' })
  await expect(confirm).toBeEnabled()
  expect((await axe(page).analyze()).violations).toEqual([])
  await confirm.dblclick()
  await expect(dialog.getByText('2 of 2 done')).toBeVisible()
  for (const id of ids) {
    await expect.poll(() => statusOf(id)).toBe('suspended')
    await expect.poll(() => auditOfCustomer(id)).toEqual(['customer.suspend', 'customer.suspend'])
  }
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('row').filter({ hasText: group }).getByText('Suspended')).toHaveCount(2)

  await selectAll(page)
  await chosen(page).getByRole('button', { name: 'Lift suspension' }).click()
  const lifting = page.getByRole('alertdialog', { name: 'Lift suspension of 2 accounts' })
  await lifting.getByRole('button', { name: 'Lift suspension of 2 accounts' }).click()
  await expect(lifting.getByText('2 of 2 done')).toBeVisible()
  for (const id of ids) await expect.poll(() => statusOf(id)).not.toBe('suspended')
})

test('the caches of several domains are purged with a call each', async ({ page }) => {
  const domains = async () =>
    (await api<{ domains?: { id: string; name: string }[] }>('/cloudflare/domains?limit=5')).domains ?? []
  await expect.poll(async () => (await domains()).length).toBeGreaterThan(1)
  const [first, second] = await domains()
  const purges = async () => (await sandbox.requests()).filter(({ name }) => name === 'cache.purge')
  const before = (await purges()).length
  await signIn(page, '/admin/domains')
  for (const domain of [first, second])
    await page.getByRole('checkbox', { name: `Select ${domain?.name}`, exact: true }).check()
  await chosen(page).getByRole('button', { name: 'Purge Cache' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Purge everything of 2 domains' })
  await dialog.getByRole('button', { name: 'Purge everything of 2 domains' }).click()
  await expect(dialog.getByText('2 of 2 done')).toBeVisible()
  expect((await purges()).slice(before)).toMatchObject([
    { path: expect.stringContaining(`/zones/${first?.id}/`), params: { purge_everything: true } },
    { path: expect.stringContaining(`/zones/${second?.id}/`), params: { purge_everything: true } },
  ])
  const { entries } = await api<{ entries: { action: string }[] }>(
    `/admin/audit?resource=domain&resource_id=${second?.id}`,
  )
  expect(entries[0]).toMatchObject({ action: 'domain.purge_cache' })
})

test('several sites are suspended for one reason, and resumed', async ({ page }) => {
  const found = async () => (await api<{ sites: Site[] }>('/sites?search=northfield')).sites
  await expect.poll(found).toHaveLength(2)
  const sites = await found()
  await signIn(page, '/admin/sites?search=northfield')
  await selectAll(page)
  await chosen(page).getByRole('button', { name: 'Suspend' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Suspend 2 sites' })
  await dialog.getByLabel('Reason').fill('Moved to another agency')
  await dialog.getByRole('button', { name: 'Suspend 2 sites' }).click()
  await expect(dialog.getByText('2 of 2 done')).toBeVisible()
  for (const { id } of sites) {
    await expect.poll(async () => (await siteOf(id)).status).toBe('suspended')
    await expect.poll(() => auditActions(id)).toContain('site.suspend')
  }
  await dialog.getByRole('button', { name: 'Close' }).click()
  // Resume is offered as soon as one of the rows says so.
  await expect(page.getByRole('row').filter({ hasText: 'Suspended' })).toHaveCount(2)
  await selectAll(page)
  await chosen(page).getByRole('button', { name: 'Resume' }).click()
  const resuming = page.getByRole('alertdialog', { name: 'Resume 2 sites' })
  await resuming.getByRole('button', { name: 'Resume 2 sites' }).click()
  await expect(resuming.getByText('2 of 2 done')).toBeVisible()
  for (const { id } of sites) await expect.poll(async () => (await siteOf(id)).status).not.toBe('suspended')
})

test('several deployments that failed are tried again, and one that ended is left out of a cancel', async ({
  page,
}) => {
  type Deployment = { id: string; retry_of: string | null; site_name: string }
  const listed = async (query: string) =>
    (await api<{ deployments: Deployment[] }>(`/deployments?${query}`)).deployments
  const newest = async () => (await listed('status=failed&limit=2')).map(({ id }) => id)
  // In a world that has just begun the first deployments are read half a minute later.
  await expect.poll(newest).toHaveLength(2)
  const failed = await newest()
  await signIn(page, '/admin/deployments?status=failed')
  // Others may fail meanwhile, and come first then.
  for (const id of failed) {
    const row = page.getByRole('row').filter({ has: page.locator(`a[href*="open=${id}"]`) })
    await row.getByRole('checkbox').check()
  }
  await expect(chosen(page).getByRole('button', { name: 'Cancel deployments' })).toBeDisabled()
  await chosen(page).getByRole('button', { name: 'Retry' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Retry 2 deployments' })
  await dialog.getByRole('button', { name: 'Retry 2 deployments' }).click()
  await expect(dialog.getByText('2 of 2 done')).toBeVisible()
  const retried = async () => (await listed('limit=20')).map(({ retry_of }) => retry_of)
  for (const id of failed) expect(await retried()).toContain(id)
})
