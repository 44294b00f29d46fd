import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { adminKey, api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

type Site = { id: string; siteId: string; siteName: string; mode: string; data: Record<string, unknown> }
type Entry = { id: string; kind: string; resetReason: string; isUndone: boolean; originalPurchaseData: unknown }
type Audit = { action: string; details: string; link: string | null }
type Made = { checkout_session: string; customer: string }

const newName = (kind: string) => `${kind} ${crypto.randomUUID().slice(0, 8)}`
const sitesOf = async (search: string) =>
  (await api<{ sites: Site[] }>(`/v1/admin/purchased-sites?search=${encodeURIComponent(search)}`)).sites
const historyOf = async (search: string) =>
  (await api<{ resets: Entry[] }>(`/v1/admin/purchase-resets?search=${encodeURIComponent(search)}`)).resets
const auditOf = async (id: string) =>
  (await api<{ entries: Audit[] }>(`/admin/audit?resource=purchase&resource_id=${id}`)).entries
/** What was asked of the provider about this purchase other than to read: about others, work goes on by itself. */
async function writesAbout({ id }: Site): Promise<unknown[]> {
  type Session = { customer: string; payment_intent: string }
  const { customer, payment_intent } = await sandbox.get<Session>(`/v1/checkout/sessions/${id}`)
  const { latest_charge } = await sandbox.get<{ latest_charge: string }>(`/v1/payment_intents/${payment_intent}`)
  const about = [id, customer, payment_intent, latest_charge]
  return (await sandbox.requests()).filter(({ provider, method, path, params }) => {
    const said = `${path} ${JSON.stringify(params)}`
    return provider === 'stripe' && method !== 'GET' && about.some((word) => said.includes(word))
  })
}

/** A visitor buys a site; answers once the console knows it. */
async function bought(kind: string, more: Record<string, string> = {}): Promise<Site> {
  const name = newName(kind)
  const { customer } = await sandbox.scenario<{ customer: string }>('customer_created', {
    name: newName('Reset Guest'),
  })
  await sandbox.scenario<Made>('checkout_completed', {
    customer,
    metadata: {
      site_id: `site_${crypto.randomUUID().slice(0, 8)}`,
      site_name: name,
      business_name: `${name} LLC`,
      selected_domains: 'harbour.example,bakery.example',
      hosting_years: '2',
      production_url: 'https://harbour.example/',
      ...more,
    },
  })
  await expect.poll(async () => (await sitesOf(name)).length).toBe(1)
  return (await sitesOf(name))[0]!
}

const rowOf = (page: Page, { siteName }: Site) =>
  page.getByRole('list', { name: 'Purchased sites' }).getByRole('listitem').filter({ hasText: siteName })
const alertOf = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const history = (page: Page) => page.getByRole('list', { name: 'Reset history' })
const open = (page: Page, search = '') =>
  signIn(page, `/admin/purchase-reset${search ? `?search=${encodeURIComponent(search)}` : ''}`)

test('a purchase is reset once by a double click, kept in the history and undone to what it was', async ({ page }) => {
  const site = await bought('Harbour Bakery')
  await open(page, site.siteName)
  const row = rowOf(page, site)
  await expect(row).toContainText('Demo')
  await row.getByRole('button', { name: /^Details/ }).click()
  for (const text of [site.siteId, site.id, 'harbour.example, bakery.example', `${site.siteName} LLC`])
    await expect(row).toContainText(text)
  await page.reload()
  await expect(row.getByText('Hosting years')).toBeVisible()

  await row.getByRole('button', { name: /^Reset/ }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('No money moves: $')
  await dialog.getByLabel('Reason (optional)').fill('Ordered twice')
  await dialog.getByRole('button', { name: 'Reset purchase status' }).dblclick()
  await expect(alertOf(page, 'Purchase status reset successfully!')).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect(history(page)).toContainText('Ordered twice')
  expect(await writesAbout(site)).toEqual([])
  expect(await sitesOf(site.siteName)).toEqual([])
  expect(await historyOf(site.siteName)).toMatchObject([
    { kind: 'reset', resetReason: 'Ordered twice', isUndone: false, originalPurchaseData: site.data },
  ])
  expect(await auditOf(site.id)).toMatchObject([
    {
      action: 'purchase.reset',
      details: `Reset the purchase of ${site.siteName}`,
      link: `/admin/purchases?open=${site.id}`,
    },
  ])

  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
  await dialog.getByRole('button', { name: 'Undo reset' }).click()
  await expect(row).toBeVisible()
  await expect(history(page)).toContainText('Undone')
  expect(await sitesOf(site.siteName)).toEqual([site])
  expect((await historyOf(site.siteName)).map(({ kind, isUndone }) => [kind, isUndone])).toEqual([
    ['undo', false],
    ['reset', true],
  ])
  expect((await auditOf(site.id)).map(({ action }) => action)).toEqual(['purchase.reset_undo', 'purchase.reset'])
  expect(await writesAbout(site)).toEqual([])
})

test('several are reset at once, and a second tab sees it', async ({ page, context }) => {
  const kind = newName('Bulk')
  const sites = [await bought(kind), await bought(kind), await bought(kind)]
  await open(page, kind)
  const second = await context.newPage()
  await second.goto(`${consoleUrl()}/admin/purchase-reset?search=${encodeURIComponent(kind)}`)
  await expect(rowOf(second, sites[0]!)).toBeVisible()

  await page.getByRole('button', { name: 'Bulk Reset' }).click()
  await expect(alertOf(page, 'Please select at least one site to reset.')).toBeVisible()
  await page.getByRole('button', { name: 'Select All' }).click()
  await expect(page.getByText('3 selected')).toBeVisible()
  await rowOf(page, sites[2]!).getByRole('checkbox').uncheck()
  await page.getByRole('button', { name: 'Bulk Reset' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('2 sites are no longer marked as purchased')
  await dialog.getByRole('button', { name: 'Reset 2 sites' }).dblclick()
  await expect(alertOf(page, 'Successfully reset 2 site(s)!')).toBeVisible()
  await expect(page.getByText('0 selected')).toBeVisible()
  await expect(rowOf(page, sites[0]!)).toHaveCount(0)
  await expect(rowOf(page, sites[2]!)).toBeVisible()
  await expect(rowOf(second, sites[0]!)).toHaveCount(0)
  await expect(history(second)).toContainText(sites[0]!.siteName)
  expect((await historyOf(kind)).map(({ resetReason }) => resetReason)).toEqual(
    Array(2).fill('Bulk reset - no reason provided'),
  )
  for (const { id } of sites.slice(0, 2)) expect(await auditOf(id)).toMatchObject([{ action: 'purchase.reset' }])
  await second.close()
})

test('the purchases feed and this screen lead to each other', async ({ page }) => {
  const site = await bought('Linked')
  await signIn(page, `/admin/purchases?open=${site.id}`)
  await page.getByRole('dialog').getByRole('link', { name: 'Purchase status' }).click()
  await expect(page.getByRole('heading', { name: 'Purchase Status Management' })).toBeVisible()
  const row = rowOf(page, site)
  await row.getByRole('button', { name: /^Reset/ }).click()
  const confirm = page.getByRole('alertdialog')
  await expect(confirm).toContainText('No money moves')
  await confirm.getByRole('button', { name: 'Reset purchase status' }).click()
  await expect(confirm).toBeHidden()
  await expect(row).toHaveCount(0)
  await page.goto(`${consoleUrl()}/admin/purchases?open=${site.id}`)
  await expect(page.getByRole('dialog').getByText('Reset', { exact: true })).toBeVisible()
  await page.getByRole('dialog').getByRole('link', { name: 'Reset history' }).click()
  await expect(history(page)).toContainText(site.siteName)
})

test('with the keyboard alone', async ({ page }) => {
  const site = await bought('Keyboard')
  await open(page, site.siteName)
  const row = rowOf(page, site)
  await row.getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('1 selected')).toBeVisible()
  for (let step = 0; step < 3; step++) await page.keyboard.press('Tab')
  await expect(row.getByRole('button', { name: /^Reset/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toContainText('No money moves')
  await page.getByLabel('Reason (optional)').focus()
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(alertOf(page, 'Purchase status reset successfully!')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toContainText('is marked as purchased again')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test('the site configuration stands at its own address, for whoever has a key', async () => {
  const site = await bought('Configured')
  const refused = await fetch(`${consoleUrl()}/site-config.json`)
  expect(refused.status).toBe(401)
  const response = await fetch(`${consoleUrl()}/site-config.json`, { headers: { 'x-admin-key': adminKey() } })
  const { siteConfigurations } = (await response.json()) as { siteConfigurations: Record<string, unknown> }
  expect(siteConfigurations[site.siteId]).toEqual({
    siteName: site.siteName,
    productionUrl: 'https://harbour.example/',
  })
})

for (const [width, colorScheme] of [
  [1440, 'light'],
  [900, 'dark'],
  [390, 'light'],
] as const) {
  test(`lists, details, dialogs and notices pass axe at ${width} px, ${colorScheme}`, { tag: '@long' }, async ({
    page,
  }) => {
    const kind = newName('A very long name of a site '.repeat(5))
    const [first, site] = [await bought(kind), await bought(kind, { business_name: '<img src=x>' })]
    await api(`/v1/admin/purchases/${first.id}/reset`, { method: 'POST', body: '{}' })
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await open(page)
    const fits = async () => {
      // Scrolled, a row may stand half under the top bar, whose buttons are then its neighbours.
      await page.evaluate(() => window.scrollTo(0, 0))
      expect((await axe(page).analyze()).violations).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    }
    const row = rowOf(page, site)
    await row.getByRole('checkbox').check()
    await row.getByRole('button', { name: /^Details/ }).click()
    await expect(row).toContainText('Stripe session ID')
    await history(page)
      .getByRole('button', { name: /^Original data/ })
      .first()
      .click()
    await fits()
    await page.getByRole('button', { name: 'Bulk Reset' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('No money moves')
    await fits()
    await page.getByRole('button', { name: 'Reset 1 site' }).click()
    await expect(alertOf(page, 'Successfully reset 1 site(s)!')).toBeVisible()
    await fits()
  })
}
