import { axe } from './support/axe.ts'
import { api, expect, sandbox, signIn, test } from './support/test.ts'

type Made = { customer: string; status: string; collection_method: string; items: { data: { quantity: number }[] } }

const subscriptionsOf = async (customer: string) =>
  (await sandbox.dump<Made>('subscription')).filter((each) => each.customer === customer)

test('starts a subscription with the saved card, once for a double click', async ({ page }) => {
  const name = `Plan Guest ${crypto.randomUUID().slice(0, 8)}`
  const { customer } = await sandbox.scenario<{ customer: string }>('customer_created', {
    ...{ name, email: 'guest@example.com' },
  })
  const path = `/stripe/customers?search=${encodeURIComponent(name)}`
  await expect.poll(async () => (await api<{ customers: unknown[] }>(path)).customers).toHaveLength(1)
  await signIn(page, `/admin/customers?search=${encodeURIComponent(name)}`)
  await page
    .getByRole('row', { name: new RegExp(name) })
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'New Subscription' }).click()
  const form = page.getByRole('dialog', { name: 'New Subscription' })
  await form.getByLabel('Plan and price').selectOption({ label: 'Starter Care: $29.00 / month' })
  await form.getByLabel('Quantity').fill('2')
  await expect(form.getByRole('radio', { name: /^Charge .* •••• \d{4}$/ })).toBeChecked()
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)).toEqual([])
  await form.getByRole('button', { name: 'Preview' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'New Subscription' })
  await expect(confirm.getByText(/ \$58\.00 now: /)).toBeVisible()
  await confirm.getByRole('button', { name: 'Start and charge $58.00' }).dblclick()
  await expect(page.getByText(`Started Starter Care for ${name}`)).toBeVisible()
  expect(await subscriptionsOf(customer)).toMatchObject([{ status: 'active', items: { data: [{ quantity: 2 }] } }])
})

test('is the next step after a customer was added, with an invoice by email', async ({ page }) => {
  const name = `Plan Guest ${crypto.randomUUID().slice(0, 8)}`
  await signIn(page, '/admin/customers')
  await page.getByRole('button', { name: 'Add Customer' }).click()
  const add = page.getByRole('dialog', { name: 'Add Customer' })
  await add.getByLabel('Name').fill(name)
  await add.getByLabel('Email').fill(`${crypto.randomUUID()}@example.com`)
  await add.getByRole('button', { name: 'Add Customer' }).click()
  const next = page.getByRole('region', { name: 'Next steps' })
  await expect(next.getByRole('link', { name: 'Add Site' })).toHaveAttribute('href', '/admin/sites?act=add')
  await next.getByRole('button', { name: 'New Subscription' }).click()
  const form = page.getByRole('dialog', { name: 'New Subscription' })
  await form.getByLabel('Plan and price').selectOption({ label: 'Starter Care: $29.00 / month' })
  await expect(form.getByRole('radio', { name: 'Email an invoice with a payment link' })).toBeChecked()
  await form.getByRole('button', { name: 'Preview' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'New Subscription' })
  await expect(confirm.getByText('Stripe bills $29.00 by invoice, due in 30 days.')).toBeVisible()
  await confirm.getByRole('button', { name: 'Start subscription' }).click()
  await expect(page.getByText(`Started Starter Care for ${name}`)).toBeVisible()
  const { customers } = await api<{ customers: { id: string }[] }>(
    `/stripe/customers?search=${encodeURIComponent(name)}`,
  )
  expect(await subscriptionsOf(customers[0]?.id ?? '')).toMatchObject([{ collection_method: 'send_invoice' }])
})
