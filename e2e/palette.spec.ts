import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

type Customers = { customers: { id: string; name: string }[] }
type Payments = { payments: { id: string; customer_name: string | null }[] }

const field = (page: Page) => page.getByRole('combobox', { name: 'Search the console' })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Search' })

async function openPalette(page: Page): Promise<void> {
  // Not while the login still shows: its screen has a heading too, but no shortcut. Behind a dialog a button has no role.
  await expect(page.locator('button[aria-keyshortcuts]')).toBeAttached()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
}

/** As somebody does who knows the keys: the shortcut, the words, Enter. */
async function jump(page: Page, words: string): Promise<void> {
  await openPalette(page)
  await page.keyboard.type(words, { delay: 10 })
}

test('finds a customer by name with the keyboard alone', async ({ page }) => {
  await signIn(page, '/admin/alerts')
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
  await jump(page, 'bangor book')
  const customers = page.getByRole('group', { name: 'Customers' })
  await expect(customers.getByRole('option', { name: /Bangor Book Exchange/ })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin\/customers\?open=cus_/)
  await expect(page.getByRole('dialog').getByRole('heading', { name: /Bangor Book Exchange/ })).toBeVisible()
})

test('deploys a site by its name, without leaving the screen', async ({ page }) => {
  type Site = { id: string; site_name: string; provider: string | null; status: string }
  const { sites } = await api<{ sites: Site[] }>('/sites?limit=100')
  const { id, site_name: name } = sites.find(({ provider, status }) => provider !== null && status === 'active')!
  await signIn(page, '/admin/alerts')
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
  await jump(page, `deploy ${name}`)
  const command = dialogOf(page)
    .getByRole('option', { name: `Deploy ${name}` })
    .first()
  await expect(command).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Deploying |is already queued$/).first()).toBeVisible()
  await expect(page).toHaveURL(`${consoleUrl()}/admin/alerts`)
  // Another test may deploy the same site, and count what is asked of its provider.
  type Deployment = { status: string }
  const newest = async () =>
    (await api<{ deployments: Deployment[] }>(`/deployments?site=${id}`)).deployments[0]?.status
  await expect.poll(newest).toBe('success')
})

test('on the page of a payment offers its refund', async ({ page }) => {
  const { payments } = await api<{ payments: { id: string; refundable_amount: number | null }[] }>(
    '/stripe/payments?status=succeeded&limit=50',
  )
  const { id } = payments.find(({ refundable_amount }) => (refundable_amount ?? 0) > 0)!
  await signIn(page, `/admin/payments?open=${id}`)
  await expect(page.getByRole('dialog')).toBeVisible()
  await jump(page, 'refund')
  await expect(page.getByRole('option', { name: 'Refund this payment' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog', { name: 'Refund payment' })).toBeVisible()
})

test('a raw id that is pasted and entered at once jumps to its object', async ({ page }) => {
  const { payments } = await api<Payments>('/stripe/payments?limit=1')
  const { id } = payments[0]!
  await signIn(page, '/admin/alerts')
  await openPalette(page)
  await page.keyboard.insertText(id)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${consoleUrl()}/admin/payments?open=${id}`)
  await expect(page.getByRole('dialog').getByText(id).first()).toBeVisible()
})

test('a charge leads to its payment, an invoice to where it is listed', async ({ page }) => {
  const [charge] = (await sandbox.dump<{ id: string; payment_intent: string }>('charge')).filter(
    (one) => one.payment_intent,
  )
  const [invoice] = await sandbox.dump<{ id: string }>('invoice')
  await signIn(page)
  await jump(page, charge!.id)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${consoleUrl()}/admin/payments?open=${charge!.payment_intent}`)
  await expect(page.getByRole('dialog')).toBeVisible()
  await jump(page, invoice!.id)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/view=invoices/)
})

test('screens and actions are there without a call, and Escape gives the focus back', async ({ page }) => {
  await signIn(page, '/admin/customers')
  const search = page.getByRole('searchbox').first()
  await search.focus()
  await openPalette(page)
  await expect(page.getByRole('group', { name: 'Screens' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toBeHidden()
  await expect(search).toBeFocused()
  await jump(page, 'pay h')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Billing' })).toBeVisible()
  await expect(page).toHaveURL(`${consoleUrl()}/admin/payments`)
  await openPalette(page)
  await expect(
    page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: /Payment History/ }),
  ).toBeVisible()
  await page.keyboard.type('add admin')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Add Admin User' })).toBeVisible()
})

test('a hostile name is text', async ({ page }) => {
  const word = crypto.randomUUID().slice(0, 8)
  const name = `<img src=x onerror="document.title='broken'"> Palette Hostile ${word}`
  await sandbox.scenario('customer_created', { name })
  await expect
    .poll(async () => (await api<Customers>(`/stripe/customers?search=hostile+${word}`)).customers.length)
    .toBe(1)
  await signIn(page)
  await jump(page, `hostile ${word}`)
  await expect(page.getByRole('group', { name: 'Customers' }).getByText(name)).toBeVisible()
  await expect(dialogOf(page).locator('img')).toHaveCount(0)
})

for (const width of [390, 1440]) {
  test(`fits ${width} px and passes axe, empty and with results`, { tag: '@long' }, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await signIn(page, '/admin/alerts')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(field(page)).toBeFocused()
    const check = async (what: string) => {
      const { violations } = await axe(page).analyze()
      expect(violations.map((violation) => `${what}: ${violation.id} ${violation.nodes[0]?.html}`)).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow, what).toBeLessThanOrEqual(0)
    }
    await check('empty')
    await page.keyboard.type('book')
    await expect(page.getByRole('group', { name: 'Customers' })).toBeVisible()
    await check('found')
    await field(page).fill('nobody is called this')
    await expect(page.getByText('Nothing matches')).toBeVisible()
    await check('nothing')
  })
}

test('finds purchases by site, email and id, and invoices by number', async ({ page }) => {
  const site = `Palette Bakery ${crypto.randomUUID().slice(0, 8)}`
  const { checkout_session: id } = await sandbox.scenario<{ checkout_session: string }>('checkout_completed', {
    metadata: { site_name: site },
  })
  type Purchases = { purchases: { id: string }[] }
  await expect
    .poll(async () => (await api<Purchases>('/v1/admin/purchases?limit=100')).purchases.some((one) => one.id === id))
    .toBe(true)
  const [invoice] = (await sandbox.dump<{ id: string; number: string | null }>('invoice')).filter((one) => one.number)
  await signIn(page)
  // The details arrive while the next words are typed.
  await page.route(/PurchaseDetailsDialog.*js$/, async (route) => {
    await new Promise((done) => setTimeout(done, 700))
    await route.continue()
  })
  await jump(page, site)
  await page.getByRole('group', { name: 'Purchases' }).getByRole('option', { name: site }).click()
  await expect(page).toHaveURL(`${consoleUrl()}/admin/purchases?open=${id}`)
  await jump(page, id)
  await expect(page.getByRole('group', { name: 'Purchases' }).getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: site })).toBeVisible()
  await jump(page, invoice!.number!.toLowerCase())
  const found = page.getByRole('group', { name: 'Invoices' }).getByRole('option')
  await expect(found.first()).toContainText(invoice!.number!)
})

test('adds a customer from any screen and shows it', async ({ page }) => {
  const name = `Palette Guest ${crypto.randomUUID().slice(0, 8)}`
  await signIn(page, '/admin/alerts')
  await jump(page, 'add cust')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add Customer' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Add Customer' }).click()
  await expect(page).toHaveURL(/\/admin\/customers\?open=cus_/)
  await expect(page.getByRole('dialog').getByRole('heading', { name })).toBeVisible()
})
