import type { Page } from '@playwright/test'
import { auditOf } from './support/sites.ts'
import { api, dataRows, expect, sandbox, signIn, test } from './support/test.ts'

type Domain = { id: string; name: string; plan: { name: string | null } | null; dashboard_url: string }
type Answer = { totalDomains: number; domains: Domain[]; fetched_at: string; stale: boolean }
type Entry = { action: string; outcome: string; after: { what?: string } | null }

const listed = (query = '') => api<Answer>(`/cloudflare/domains${query}`)
const purges = async () => (await sandbox.requests()).filter(({ name }) => name === 'cache.purge')
const table = (page: Page) => page.getByRole('table', { name: 'Domains' })

async function entries(id: string): Promise<Entry[]> {
  return (await api<{ entries: Entry[] }>(`/admin/audit?resource=domain&resource_id=${id}`)).entries
}

async function openMenu(page: Page, name: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  return page.getByRole('menu')
}

/** The list is read from Cloudflare soon after the start. */
test.beforeAll(() => expect.poll(async () => (await listed()).totalDomains).toBeGreaterThan(10))
test.afterEach(() => sandbox.clearFaults())

test('shows every domain that Cloudflare has, ten a page, and opens its site beside the console', async ({ page }) => {
  const { totalDomains, domains } = await listed('?limit=10')
  await signIn(page, '/admin/domains')
  await expect(dataRows(page)).toHaveCount(10)
  await expect(page.getByText(`${totalDomains} domains ·`)).toBeVisible()
  const link = table(page).getByRole('link').first()
  await expect(link).toContainText(domains[0]!.name)
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener/)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(link).not.toContainText(domains[0]!.name)
})

test('finds domains by name, status and plan, and says when there are none', async ({ page }) => {
  const { domains } = await listed()
  const one = domains.find(({ plan }) => plan?.name)!
  await signIn(page, '/admin/domains')
  const search = page.getByLabel('Search domain, status or plan')
  await search.fill(one.name)
  await expect(table(page).getByRole('link', { name: one.name })).toBeVisible()
  await search.fill(one.plan!.name!.slice(0, 4))
  await expect(table(page).getByText(one.plan!.name!).first()).toBeVisible()
  await search.fill('no such domain')
  await expect(page.getByText('No domains found matching your search')).toBeVisible()
})

test('the menu of a row leads to the site, the analytics, the records and Cloudflare', async ({ page }) => {
  const [domain] = (await listed('?limit=1')).domains
  await signIn(page, '/admin/domains')
  const menu = await openMenu(page, domain!.name)
  await expect(menu.getByRole('menuitem', { name: 'Cloudflare Settings' })).toHaveAttribute(
    'href',
    domain!.dashboard_url,
  )
  await expect(menu.getByRole('menuitem', { name: 'View Analytics' })).toHaveAttribute(
    'href',
    `/admin/domains/${domain!.id}/analytics`,
  )
  await menu.getByRole('menuitem', { name: 'DNS Records' }).click()
  const details = page.getByRole('dialog')
  await expect(details.getByRole('heading', { name: domain!.name })).toBeVisible()
  await expect(details.getByRole('region', { name: 'DNS records' }).getByRole('row').nth(1)).toBeVisible()
  await details.getByRole('tab', { name: 'Overview' }).click()
  await expect(details.getByText('SSL mode')).toBeVisible()
  await expect(details.getByText('Name servers')).toBeVisible()
})

test('purges a cache: one call for a double click, then the database, the screen and the audit log', async ({
  page,
}) => {
  const [domain] = (await listed('?limit=1')).domains
  await signIn(page, '/admin/domains')
  const before = (await purges()).length
  const menu = await openMenu(page, domain!.name)
  await menu.getByRole('menuitem', { name: 'Purge Cache' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Purge cache' })
  await expect(dialog.getByText(/Deletes all cached files/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Purge everything' }).dblclick()
  await expect(page.getByText(`Purged the cache of ${domain!.name}`)).toBeVisible()
  expect((await purges()).length - before).toBe(1)
  const { last } = await api<{ last: { what: string } }>(`/cloudflare/zones/${domain!.id}/purge`)
  expect(last.what).toBe('everything')
  await expect
    .poll(async () => (await entries(domain!.id))[0])
    .toMatchObject({ action: 'domain.purge_cache', outcome: 'done' })
})

for (const { kind, field, button, what, lines } of [
  {
    ...{ kind: 'hosts', field: 'By hostname', button: 'Purge 2 hostnames', what: '2 hostnames' },
    lines: (name: string) => [name, `www.${name}`],
  },
  {
    ...{ kind: 'files', field: 'By URL', button: 'Purge 1 URL', what: '1 URL' },
    lines: (name: string) => [`https://www.${name}/menu?day=1&x=%20`],
  },
] as const) {
  test(`purges ${what} alone: provider, database, screen and audit log`, async ({ page }) => {
    const [, domain] = (await listed('?limit=2')).domains
    const { id, name } = domain!
    const given = lines(name)
    await signIn(page, '/admin/domains')
    const before = (await purges()).length
    await (await openMenu(page, name)).getByRole('menuitem', { name: 'Purge Cache' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Purge cache' })
    await dialog.getByLabel(field).check()
    await dialog.getByRole('textbox').fill(`${given.join('\n')}\n\n`)
    await dialog.getByRole('button', { name: button }).dblclick()
    await expect(page.getByText(`Purged the cache of ${name}`)).toBeVisible()
    const sent = (await purges()).slice(before)
    expect(sent).toMatchObject([{ status: 200, params: { [kind]: given } }])
    expect(sent[0]?.path).toContain(`/zones/${id}/purge_cache`)
    expect(sent[0]?.params).not.toHaveProperty('purge_everything')
    expect(await api(`/cloudflare/zones/${id}/purge`)).toMatchObject({ last: { what } })
    await (await openMenu(page, name)).getByRole('menuitem', { name: 'Purge Cache' }).click()
    await expect(dialog.getByText(new RegExp(`Last purged .*: ${what}$`))).toBeVisible()
    const [settled, written] = await auditOf(`resource=domain&resource_id=${id}`)
    expect(settled).toMatchObject({ action: 'domain.purge_cache', after: { state: 'done', what } })
    expect(written).toMatchObject({ action: 'domain.purge_cache', after: { state: 'requested', what, [kind]: given } })
  })
}

test('Refresh asks Cloudflare, and shows the domain that came and then the one that went', async ({ page }) => {
  const zone = `zz-${crypto.randomUUID().slice(0, 8)}.example`
  const asked = async () => (await sandbox.requests()).filter(({ name }) => name === 'zones.list').length
  await signIn(page, `/admin/domains?search=${zone}`)
  await expect(page.getByText('No domains found matching your search')).toBeVisible()
  await sandbox.scenario('add_zone', { zone })
  const before = await asked()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(table(page).getByRole('link', { name: zone })).toBeVisible()
  expect(await asked()).toBeGreaterThan(before)
  expect((await listed(`?search=${zone}`)).domains).toMatchObject([{ name: zone }])
  await sandbox.scenario('remove_zone', { zone })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('No domains found matching your search')).toBeVisible()
  expect((await listed(`?search=${zone}`)).domains).toEqual([])
})

for (const [name, effect] of [
  ['a 429 that asks to wait', { status: 429, retryAfter: 2 }],
  ['HTML', { malformed: 'html' }],
] as const) {
  test(`keeps the rows with their age after ${name}`, async ({ page }) => {
    await signIn(page, '/admin/domains')
    await expect(dataRows(page)).toHaveCount(10)
    await sandbox.fault({ provider: 'cloudflare', match: 'zones.list', times: null, ...effect })
    await page.getByRole('button', { name: 'Refresh' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to fetch domains. Please try again.' })
    await expect(alert).toBeVisible()
    await expect(dataRows(page)).toHaveCount(10)
    await alert.getByRole('button', { name: 'Dismiss' }).click()
    await expect(alert).toBeHidden()
    await sandbox.clearFaults()
    // A block of two seconds, and the calls of this test's own fault.
    await expect(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      expect((await listed()).stale).toBe(false)
    }).toPass()
  })
}
