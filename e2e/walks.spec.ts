import type { Locator, Page } from '@playwright/test'
import { addColleague } from './support/people.ts'
import { api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

/** Counts the presses of the pointer that reach the page. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    // Playwright takes back a press whose target moved away meanwhile, at the window: only what comes further counts.
    document.addEventListener(
      'click',
      ({ isTrusted, detail }) => {
        // A key that presses a button is a click without a pointer.
        if (isTrusted && detail > 0)
          sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks') ?? 0) + 1))
      },
      true,
    )
  })
  return () => page.evaluate(() => Number(sessionStorage.getItem('clicks') ?? 0))
}

async function refundHalf(page: Page, row: Locator, customer: string): Promise<void> {
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Issue Refund' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('button', { name: '50%' })).toBeEnabled()
  await dialog.getByRole('button', { name: '50%' }).click()
  await expect(dialog.getByText('Revenue falls by $50.00;')).toBeVisible()
  await dialog.getByRole('button', { name: 'Refund $50.00' }).click()
  await expect(page.getByText(`Refunded $50.00 to ${customer}`)).toBeVisible()
}

test('half of a payment is refunded in five clicks from anywhere', async ({ page }) => {
  const customer = `Walk ${crypto.randomUUID().slice(0, 8)}`
  const { customer: id } = await sandbox.scenario<{ customer: string }>('customer_created', { name: customer })
  const { payment_intent: paid } = await sandbox.scenario<{ payment_intent: string }>('payment_succeeds', {
    ...{ customer: id, amount: 10_000 },
  })
  await expect.poll(async () => (await api<{ status?: number }>(`/stripe/payments/${paid}`)).status).toBeUndefined()
  const clicks = await countClicks(page)
  await signIn(page, '/admin/flags')
  await page.getByRole('button', { name: /^Search/ }).click()
  await expect(page.getByRole('combobox', { name: 'Search the console' })).toBeFocused()
  await page.keyboard.type('payment hi')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${consoleUrl()}/admin/payments`)
  await refundHalf(page, page.getByRole('row').filter({ hasText: customer }), customer)
  expect(await clicks()).toBe(5)
})

test('who owes money is one click from the dashboard', async ({ page }) => {
  const clicks = await countClicks(page)
  await signIn(page)
  await page.getByRole('link', { name: 'Who owes money' }).click()
  await expect(
    page
      .getByRole('table')
      .getByText(/^Owes /)
      .first(),
  ).toBeVisible()
  expect(await clicks()).toBe(1)
})

/** A site of its own name and one that is called as a customer is, who then stands first. */
async function namedSites() {
  type Site = { id: string; site_name: string; customer_name: string | null }
  const { sites } = await api<{ sites: Site[] }>('/sites?limit=100')
  const owned = sites.filter(({ customer_name }) => customer_name !== null)
  const [own, shared] = [false, true].map((isShared) =>
    owned.find(({ site_name, customer_name }) => (customer_name === site_name) === isShared),
  )
  return { own: own!, shared: shared! }
}

test('a site, a domain and a person are two keys and their name away', async ({ page }) => {
  const { own, shared } = await namedSites()
  const { domains } = await api<{ domains: { id: string; name: string }[] }>('/cloudflare/domains?limit=1&sort=-name')
  const colleague = await addColleague('support', `Walker ${crypto.randomUUID().slice(0, 6)}`)
  const clicks = await countClicks(page)
  await signIn(page, '/admin/alerts')
  for (const [name, kind, path] of [
    [own.site_name, 'Sites', `/admin/sites?open=${own.id}`],
    [shared.site_name, 'Sites', `/admin/sites?open=${shared.id}`],
    [domains[0]!.name, 'Domains', `/admin/domains?open=${domains[0]!.id}`],
    [colleague.name, 'People', `/admin/users?open=${colleague.id}`],
  ] as const) {
    await expect(page.locator('button[aria-keyshortcuts]')).toBeAttached()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Search the console' })).toBeFocused()
    await page.keyboard.type(name)
    const meant = page.getByRole('group', { name: kind }).getByRole('option').first()
    await expect(meant).toContainText(name)
    const isFirst = (await meant.getAttribute('aria-selected')) === 'true'
    expect(isFirst).toBe(name !== shared.site_name)
    await page.keyboard.press(isFirst ? 'Enter' : (await meant.getAttribute('aria-keyshortcuts'))!)
    await expect(page, kind).toHaveURL(`${consoleUrl()}${path}`)
    // Before its details are there, Escape would close nothing.
    await expect(page.getByRole('dialog', { name })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  expect(await clicks()).toBe(0)
})
