import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { auditDetails } from './support/outcomes.ts'
import { api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

type Item = { quantity: number; adjustable_quantity: object | null; price: { lookup_key: string } }
type Doc = {
  id: string
  active: boolean
  url: string
  allow_promotion_codes: boolean
  subscription_data: { trial_period_days: number } | null
  line_items: { data: Item[] }
}
type Link = { id: string; name: string; url: string }

const atStripe = async (id: string) => (await sandbox.dump<Doc>('payment_link')).find((each) => each.id === id)

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)).toEqual([])
}

const post = <T>(path: string, body: object): Promise<T> => api<T>(path, { method: 'POST', body: JSON.stringify(body) })

const screen = '/admin/payments?tab=links'
const openId = (page: Page): string => new URL(page.url()).searchParams.get('open') ?? ''

async function priceOf(search: string): Promise<string> {
  const { prices } = await api<{ prices: { id: string }[] }>(`/stripe/payment-link-prices?search=${search}`)
  return prices[0]?.id ?? ''
}

test('creates a payment link by keyboard, opens its page, switches it off and on', async ({ page }) => {
  await signIn(page, screen)
  await expect(page.getByRole('table', { name: 'Payment links' })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Create Payment Link' }).focus()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Create Payment Link' })
  await form.getByRole('combobox', { name: 'Plan and price' }).fill('Professional')
  await form.getByRole('option', { name: 'Professional Care: $79.00 per month' }).click()
  await form.getByLabel('Quantity', { exact: true }).fill('2')
  await form.getByLabel('Trial days').fill('14')
  await form.getByRole('switch', { name: /Customers can change the quantity/ }).press('Space')
  await form.getByRole('switch', { name: 'Accept promotion codes' }).press('Space')
  await expectAccessible(page)
  await form.getByLabel('Trial days').press('Enter')

  const confirm = page.getByRole('alertdialog', { name: 'Create Payment Link' })
  await expect(
    confirm.getByText('The customer pays nothing for 14 days, then $158.00 per month until cancelled.'),
  ).toBeVisible()
  await expect(confirm.getByText('The customer can enter a promotion code.')).toBeVisible()
  await expectAccessible(page)
  await confirm.getByRole('button', { name: 'Create link' }).dblclick()
  await expect(page.getByText('Created payment link for Professional Care')).toBeVisible()

  const details = page.getByRole('dialog', { name: /Professional Care/ })
  await expect(details.getByText('2, can be 1 to 99')).toBeVisible()
  await expectAccessible(page)
  const id = openId(page)
  const made = await atStripe(id)
  expect(made).toMatchObject({
    ...{ active: true, allow_promotion_codes: true, subscription_data: { trial_period_days: 14 } },
    line_items: {
      data: [{ quantity: 2, adjustable_quantity: { enabled: true }, price: { lookup_key: 'professional_month_usd' } }],
    },
  })
  expect(await auditDetails('payment_link', id)).toEqual(['Created the payment link for Professional Care'])

  await details.getByRole('button', { name: 'More actions' }).click()
  const opening = page.waitForEvent('popup')
  await page.getByRole('menuitem', { name: 'Open payment page' }).click()
  const shop = await opening
  await expect(shop.getByText('Professional Care')).toBeVisible()
  await expect(shop.getByText('Free for 14 days')).toBeVisible()

  await details.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Switch off' }).click()
  const off = page.getByRole('alertdialog', { name: 'Switch Off Payment Link' })
  await expectAccessible(page)
  await off.getByRole('button', { name: 'Switch off' }).click()
  await expect(page.getByText('Switched off the payment link for Professional Care')).toBeVisible()
  await expect(details.getByText('Off', { exact: true })).toBeVisible()
  expect(await atStripe(id)).toMatchObject({ active: false })
  expect(await auditDetails('payment_link', id)).toContain('Switched off the payment link for Professional Care')
  await shop.reload()
  await expect(shop.getByText('This link is no longer active.')).toBeVisible()
  await shop.close()

  await details.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Switch on' }).click()
  const on = page.getByRole('alertdialog', { name: 'Switch On Payment Link' })
  await on.getByRole('button', { name: 'Switch on' }).click()
  await expect(page.getByText('Switched on the payment link for Professional Care')).toBeVisible()
  await expect(details.getByText('Active', { exact: true })).toBeVisible()
  expect(await atStripe(id)).toMatchObject({ active: true })
})

test('copies the address, follows another tab of the console, and fits a phone', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { payment_link: link } = await post<{ payment_link: Link }>('/stripe/payment-links', {
    price: await priceOf('Website%20build,%20one%20page'),
  })
  await signIn(page, `${screen}&search=${link.id}`)
  const row = page.getByRole('row', { name: new RegExp(link.name) })
  await expect(row.getByText('$890.00 once')).toBeVisible()
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect(page.getByText(`Copied the payment link for ${link.name}`)).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link.url)

  await post(`/stripe/payment-links/${link.id}/switch`, { active: false })
  await expect(row.getByText('Off', { exact: true })).toBeVisible()
  await expectToFit(page, [390, 900], 'Payment links')
  await page.goto(`${consoleUrl()}${screen}&open=${link.id}`)
  await expect(page.getByRole('dialog', { name: new RegExp(link.name) }).getByText(link.id)).toBeVisible()
  await expectToFit(page, [390], 'An open payment link')

  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`${consoleUrl()}${screen}`)
  const tabs = page.getByRole('navigation', { name: 'Billing' })
  await expect(tabs.getByRole('link', { name: /^Payments\s*\d/ })).toHaveCount(1)
  await expect(tabs.getByRole('link', { name: 'Payment Links' })).toBeInViewport({ ratio: 1 })
})
