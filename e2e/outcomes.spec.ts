import type { Locator, Page } from '@playwright/test'
import { addDebtor, money, succeededOf } from './support/debtors.ts'
import { api, expect, sandbox, signIn, test } from './support/test.ts'

/** It is done at the provider, but its answer is lost, and that of the SDK's own repetition too. */
const lose = (match: string) => sandbox.fault({ match, connection: 'lost', times: 2 })

test.afterEach(() => sandbox.clearFaults())

async function choose(page: Page, row: string, item: string): Promise<void> {
  await page
    .getByRole('row', { name: new RegExp(row) })
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function auditDetails(resource: string, id: string): Promise<string[]> {
  const { entries } = await api<{ entries: { details: string }[] }>(
    `/admin/audit?resource=${resource}&resource_id=${encodeURIComponent(id)}`,
  )
  return entries.map(({ details }) => details)
}

const dunning = (name: string) => `/admin/payments?tab=dunning&search=${encodeURIComponent(name)}`

test('a charge whose answer was lost is found out at once, and made once', async ({ page }) => {
  const { id, name, invoice } = await addDebtor()
  await signIn(page, dunning(name))
  await choose(page, name, 'Charge now')
  await lose('invoices.pay')
  await page
    .getByRole('alertdialog', { name: 'Charge Invoice' })
    .getByRole('button', { name: `Charge ${money(invoice.amount_remaining)}` })
    .click()
  await expect(page.getByText(`Charged invoice ${invoice.number}`)).toBeVisible()
  expect(await succeededOf(id)).toMatchObject([{ amount: invoice.amount_remaining }])
  expect(await auditDetails('invoice', invoice.id)).toContain(`Charged invoice ${invoice.number} of ${name}`)
})

test('what was marked as paid and its answer lost is found out at once, and charges nobody', async ({ page }) => {
  const { id, name, invoice } = await addDebtor()
  await signIn(page, dunning(name))
  await choose(page, name, 'Mark as paid')
  await lose('invoices.pay')
  await page
    .getByRole('alertdialog', { name: 'Mark Invoice as Paid' })
    .getByRole('button', { name: `Mark ${money(invoice.amount_remaining)} as paid` })
    .click()
  await expect(page.getByText(`Marked invoice ${invoice.number} as paid`)).toBeVisible()
  expect(await succeededOf(id)).toEqual([])
})

test('a card that is declined again is told, and the invoice stays open', async ({ page }) => {
  const { id, name, invoice } = await addDebtor()
  await sandbox.scenario('set_card', { customer: id, decline: 'insufficient_funds' })
  await signIn(page, dunning(name))
  await choose(page, name, 'Charge now')
  const dialog = page.getByRole('alertdialog', { name: 'Charge Invoice' })
  await dialog.getByRole('button', { name: `Charge ${money(invoice.amount_remaining)}` }).click()
  await expect(dialog.getByRole('alert')).toContainText(/insufficient funds/i)
  expect(await succeededOf(id)).toEqual([])
  expect(await auditDetails('invoice', invoice.id)).toContain(`Could not charge invoice ${invoice.number} of ${name}`)
})

async function orderStarter(page: Page, name: string): Promise<Locator> {
  await signIn(page, `/admin/customers?search=${encodeURIComponent(name)}`)
  await choose(page, name, 'New Subscription')
  const form = page.getByRole('dialog', { name: 'New Subscription' })
  await form.getByLabel('Plan and price').selectOption({ label: 'Starter Care: $29.00 / month' })
  await form.getByRole('button', { name: 'Preview' }).click()
  return page.getByRole('alertdialog', { name: 'New Subscription' })
}

async function addCustomer(card: object = {}): Promise<{ id: string; name: string }> {
  const name = `Outcome Guest ${crypto.randomUUID().slice(0, 8)}`
  const { customer: id } = await sandbox.scenario<{ customer: string }>('customer_created', {
    ...{ name, email: 'guest@example.com' },
  })
  await sandbox.scenario('set_card', { customer: id, ...card })
  const path = `/stripe/customers?search=${encodeURIComponent(name)}`
  await expect.poll(async () => (await api<{ customers: unknown[] }>(path)).customers).toHaveLength(1)
  return { id, name }
}

const subscriptionsOf = async (customer: string) =>
  (await sandbox.dump<{ customer: string; status: string }>('subscription')).filter((one) => one.customer === customer)

test('a subscription whose answer was lost is found out by itself, and started once', { tag: '@long' }, async ({
  page,
}) => {
  const { id, name } = await addCustomer()
  const confirm = await orderStarter(page, name)
  await lose('subscriptions.create')
  await confirm.getByRole('button', { name: 'Start and charge $29.00' }).click()
  await expect(page.getByText('The answer was lost. Checking whether')).toBeVisible()
  await expect(page.getByText(`Starter Care started for ${name}.`)).toBeVisible({ timeout: 90_000 })
  expect(await subscriptionsOf(id)).toMatchObject([{ status: 'active' }])
  expect(await succeededOf(id)).toMatchObject([{ amount: 2900 }])
  await expect.poll(() => auditDetails('customer', id)).toContain(`Subscribed ${name} to Starter Care`)
})

test('a subscription whose first payment is declined is not started, and that is told', async ({ page }) => {
  const { id, name } = await addCustomer({ decline: 'insufficient_funds' })
  const confirm = await orderStarter(page, name)
  await confirm.getByRole('button', { name: 'Start and charge $29.00' }).click()
  await expect(confirm.getByRole('alert')).toContainText(/insufficient funds/i)
  expect((await subscriptionsOf(id)).filter(({ status }) => status === 'active')).toEqual([])
  expect(await succeededOf(id)).toEqual([])
})

/** The dialog says that the answer was lost; a second press is the same wish. */
async function pressTwice(dialog: Locator, name: string): Promise<void> {
  const button = dialog.getByRole('button', { name })
  await button.click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await button.click()
}

test('a coupon and its code whose answers were lost are made once by a second press; a code that is taken is refused', async ({
  page,
}) => {
  const mark = crypto.randomUUID().slice(0, 8).toUpperCase()
  const name = `Autumn ${mark}`
  await signIn(page, '/admin/subscriptions?tab=coupons')
  await page.getByRole('button', { name: 'Create Coupon' }).click()
  const form = page.getByRole('dialog', { name: 'Create Coupon' })
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Percent off').fill('20')
  await lose('coupons.create')
  await pressTwice(form, 'Create Coupon')
  await expect(page.getByText(`Created coupon ${name}: 20% off`)).toBeVisible()
  expect((await sandbox.dump<{ name: string }>('coupon')).filter((each) => each.name === name)).toHaveLength(1)

  const add = async () => {
    await choose(page, name, 'Add promotion code')
    const adding = page.getByRole('dialog', { name: 'Add Promotion Code' })
    await adding.getByLabel('Code').fill(mark)
    return adding
  }
  const adding = await add()
  await lose('promotionCodes.create')
  await pressTwice(adding, 'Add promotion code')
  await expect(page.getByText(`Added promotion code ${mark} to ${name}`)).toBeVisible()
  const again = await add()
  await again.getByRole('button', { name: 'Add promotion code' }).click()
  await expect(again.getByText(/already/)).toBeVisible()
  expect((await sandbox.dump<{ code: string }>('promotion_code')).filter(({ code }) => code === mark)).toHaveLength(1)
})

test('a payment link whose answer was lost is made once by a second press', async ({ page }) => {
  const before = (await sandbox.dump('payment_link')).length
  await signIn(page, '/admin/payments?tab=links')
  await page.getByRole('button', { name: 'Create Payment Link' }).click()
  const form = page.getByRole('dialog', { name: 'Create Payment Link' })
  await form.getByRole('combobox', { name: 'Plan and price' }).fill('Professional')
  await form.getByRole('option', { name: 'Professional Care: $79.00 per month' }).click()
  await form.getByRole('button', { name: 'Preview' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'Create Payment Link' })
  await expect(confirm.getByRole('listitem').first()).toBeVisible()
  await lose('paymentLinks.create')
  await pressTwice(confirm, 'Create link')
  await expect(page.getByText('Created payment link for Professional Care')).toBeVisible()
  expect((await sandbox.dump('payment_link')).length).toBe(before + 1)
})
