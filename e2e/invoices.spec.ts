import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

type Request = { method: string; name: string; path: string; idempotencyKey: string | null }
type Made = { id: string; customer: string; status: string; total: number; lines: { data: { amount: number }[] } }
type Listed = { id: string; number: string; status: string; amount_due: number; invoice_pdf: string | null }

const invoicesAt = async (customer: string) =>
  (await sandbox.dump<Made>('invoice')).filter((invoice) => invoice.customer === customer)
const listed = async (customer: string) =>
  (await api<{ invoices: Listed[] }>(`/stripe/customers/${customer}/invoices`)).invoices
const changes = async () =>
  ((await sandbox.requests()) as unknown as Request[]).filter(
    ({ method, path }) => method !== 'GET' && path.startsWith('/v1/invoice'),
  )
async function auditActions(resource: string, id: string): Promise<string[]> {
  const { entries } = await api<{ entries: { action: string }[] }>(
    `/admin/audit?resource=${resource}&resource_id=${id}`,
  )
  return entries.map(({ action }) => action)
}

async function addCustomer(part: object = {}): Promise<{ id: string; name: string; email: string }> {
  const name = `Invoice Guest ${crypto.randomUUID().slice(0, 8)}`
  const email = `${crypto.randomUUID().slice(0, 8)}@example.com`
  const body = JSON.stringify({ name, email, ...part })
  const { customer } = await api<{ customer: { id: string } }>('/stripe/customers', { method: 'POST', body })
  return { id: customer.id, name, email }
}

/** One with a card that works, and a subscription. */
async function addSubscriber(): Promise<{ id: string; name: string }> {
  const name = `Invoice Guest ${crypto.randomUUID().slice(0, 8)}`
  const made = await sandbox.scenario<{ customer: string }>('customer_created', { name, email: 'guest@example.com' })
  await sandbox.scenario('subscription_started', { customer: made.customer })
  return { id: made.customer, name }
}

async function fillInvoice(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Send Invoice' })
  await dialog.getByLabel('Description').fill('Design work')
  await dialog.getByLabel('Amount in USD').fill('1,250.50')
  await dialog.getByLabel('Quantity').fill('2')
  await dialog.getByRole('button', { name: 'Add line' }).click()
  const second = dialog.getByRole('group', { name: 'Line 2' })
  await expect(second.getByLabel('Description')).toBeFocused()
  await second.getByLabel('Description').fill('Hosting')
  await second.getByLabel('Amount in USD').fill('9.99')
  await dialog.getByLabel('Days until due').fill('14')
  await dialog.getByLabel('Memo').fill('Thank you')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  return page.getByRole('alertdialog', { name: 'Send Invoice' })
}

async function openMenu(page: Page, row: RegExp) {
  await page
    .getByRole('row', { name: row })
    .getByRole('button', { name: /^Actions for/ })
    .click()
}

async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
    [],
  )
}

test.afterEach(() => sandbox.clearFaults())

test("sends a new invoice from a subscription's menu, once for a double click, to the audit log", async ({ page }) => {
  const customer = await addSubscriber()
  const search = encodeURIComponent(customer.name)
  await expect
    .poll(async () => (await api<{ subscriptions: unknown[] }>(`/stripe/subscriptions?search=${search}`)).subscriptions)
    .toHaveLength(1)
  await signIn(page, `/admin/subscriptions?search=${search}`)
  await openMenu(page, new RegExp(customer.name))
  await page.getByRole('menuitem', { name: 'Send Invoice' }).click()
  const before = await invoicesAt(customer.id)
  const from = (await changes()).length
  const preview = await fillInvoice(page)
  await expect(preview.getByText(`${customer.name} owes $2,510.99`)).toBeVisible()
  await expect(preview.getByText('Test mode: Stripe records')).toBeVisible()
  await expect(preview.getByRole('row', { name: 'Design work 2 $2,501.00' })).toBeVisible()
  await preview.getByRole('button', { name: 'Send $2,510.99' }).dblclick()
  await expect(page.getByText(/Sent invoice \S+ for \$2,510\.99 to /)).toBeVisible()

  const [made, ...more] = (await invoicesAt(customer.id)).filter(({ id }) => !before.some((known) => known.id === id))
  expect(more).toEqual([])
  expect(made).toMatchObject({ status: 'open', total: 251_099 })
  expect(made!.lines.data.map(({ amount }) => amount)).toEqual([250_100, 999])
  const sent = (await changes()).slice(from)
  expect(sent.map(({ name }) => name)).toEqual([
    'invoices.create',
    'invoiceItems.create',
    'invoiceItems.create',
    'invoices.finalizeInvoice',
    'invoices.sendInvoice',
  ])
  expect(sent.every(({ idempotencyKey }) => idempotencyKey?.startsWith('invoice_create-'))).toBe(true)
  expect(await listed(customer.id)).toContainEqual(expect.objectContaining({ id: made!.id, amount_due: 251_099 }))
  expect(await auditActions('customer', customer.id)).toContain('invoice.create')
  expect(await auditActions('invoice', made!.id)).toEqual(['invoice.send'])

  await page.goto(`${consoleUrl()}/admin/customers?open=${customer.id}&tab=invoices`)
  await expect(page.getByRole('dialog').getByRole('row', { name: /\$2,510\.99/ })).toBeVisible()
})

test('finds out by itself what became of an invoice whose answer was lost', { tag: '@long' }, async ({ page }) => {
  const customer = await addCustomer()
  await signIn(page, `/admin/customers?open=${customer.id}&tab=invoices`)
  await page.getByRole('button', { name: 'Send Invoice' }).click()
  await sandbox.fault({ match: 'invoices.finalizeInvoice', connection: 'destroy', times: 2 })
  const preview = await fillInvoice(page)
  await preview.getByRole('button', { name: 'Send $2,510.99' }).click()
  await expect(page.getByText('The answer was lost. Checking whether')).toBeVisible()
  await expect(page.getByText(/The invoice for \$2,510\.99 was sent to /)).toBeVisible()
  expect(await invoicesAt(customer.id)).toMatchObject([{ status: 'open', total: 251_099 }])
})

test('sends again and voids one, and says why a paid one cannot be voided', async ({ page }) => {
  const customer = await addCustomer()
  const body = JSON.stringify({
    customer: customer.id,
    currency: 'usd',
    lines: [{ description: 'Work', unit_amount: 4000 }],
    days_until_due: 30,
  })
  const { invoice } = await api<{ invoice: Listed }>('/stripe/invoices', { method: 'POST', body })
  await signIn(page, `/admin/customers?open=${customer.id}&tab=invoices`)
  const row = new RegExp(invoice.number)
  await openMenu(page, row)
  const [shown] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('menuitem', { name: 'Open invoice page' }).click(),
  ])
  await expect(shown.getByRole('heading', { name: `Invoice ${invoice.number}` })).toBeVisible()
  await shown.close()

  await openMenu(page, row)
  await page.getByRole('menuitem', { name: 'Send again' }).click()
  await expect(page.getByText('You can void the invoice until paid.')).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send $40.00' }).click()
  await expect(page.getByText(`Sent invoice ${invoice.number}`)).toBeVisible()

  await openMenu(page, row)
  await page.getByRole('menuitem', { name: 'Void' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Void Invoice' })
  await expect(dialog.getByText('This cannot be undone.')).toBeVisible()
  await expect(dialog.getByText('No subscription is affected')).toBeVisible()
  await dialog.getByRole('button', { name: 'Void $40.00' }).click()
  await expect(page.getByText(`Voided invoice ${invoice.number}`)).toBeVisible()
  await expect(page.getByRole('row', { name: row }).getByText('Void')).toBeVisible()
  expect(await invoicesAt(customer.id)).toMatchObject([{ status: 'void' }])
  expect(await listed(customer.id)).toMatchObject([{ status: 'void' }])
  expect(await auditActions('invoice', invoice.id)).toEqual(expect.arrayContaining(['invoice.void', 'invoice.send']))

  await openMenu(page, row)
  await expect(page.getByRole('menuitem', { name: /^Void/ })).toBeDisabled()
})

/** With a card that works and an invoice that is open. */
async function addDebtor(): Promise<{ id: string; name: string; invoice: Listed }> {
  const name = `Invoice Guest ${crypto.randomUUID().slice(0, 8)}`
  const { customer } = await sandbox.scenario<{ customer: string }>('customer_created', {
    ...{ name, email: 'guest@example.com' },
  })
  const path = `/stripe/customers?search=${encodeURIComponent(name)}`
  await expect.poll(async () => (await api<{ customers: unknown[] }>(path)).customers).toHaveLength(1)
  const body = JSON.stringify({
    ...{ customer, currency: 'usd', days_until_due: 30 },
    lines: [{ description: 'Work', unit_amount: 31_600 }],
  })
  const { invoice } = await api<{ invoice: Listed }>('/stripe/invoices', { method: 'POST', body })
  return { id: customer, name, invoice }
}

const chargesOf = async (customer: string) =>
  (await sandbox.dump<{ customer: string; status: string; amount: number }>('charge')).filter(
    (charge) => charge.customer === customer,
  )

test('finds who owes money, and charges the saved card once for a double click', async ({ page }) => {
  const debtor = await addDebtor()
  await signIn(page, `/admin/customers?owes=yes&sort=-owes&search=${encodeURIComponent(debtor.name)}`)
  await expect(page.getByRole('row', { name: new RegExp(debtor.name) }).getByText('Owes $316.00')).toBeVisible()
  await page.goto(`${consoleUrl()}/admin/customers?open=${debtor.id}&tab=invoices`)
  const row = new RegExp(debtor.invoice.number)
  await openMenu(page, row)
  await page.getByRole('menuitem', { name: 'Charge now' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Charge Invoice' })
  await expect(dialog.getByText(/ ending in \d{4}, expires /)).toBeVisible()
  await dialog.getByRole('button', { name: 'Charge $316.00' }).dblclick()
  await expect(page.getByText(`Charged invoice ${debtor.invoice.number}`)).toBeVisible()
  await expect(page.getByRole('row', { name: row }).getByText('Paid', { exact: true })).toBeVisible()
  await expect(page.getByText('Owes $316.00')).toHaveCount(0)
  expect(await chargesOf(debtor.id)).toMatchObject([{ status: 'succeeded', amount: 31_600 }])
  expect(await auditActions('invoice', debtor.invoice.id)).toContain('invoice.pay')
})

test('marks as paid what came by bank transfer, and charges nobody', async ({ page }) => {
  const debtor = await addDebtor()
  await signIn(page, `/admin/customers?open=${debtor.id}&tab=invoices`)
  await openMenu(page, new RegExp(debtor.invoice.number))
  await page.getByRole('menuitem', { name: 'Mark as paid' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Mark Invoice as Paid' })
  await dialog.getByRole('button', { name: 'Mark $316.00 as paid' }).click()
  await expect(page.getByText(`Marked invoice ${debtor.invoice.number} as paid`)).toBeVisible()
  expect(await invoicesAt(debtor.id)).toMatchObject([{ status: 'paid' }])
  expect(await chargesOf(debtor.id)).toEqual([])
  expect(await auditActions('invoice', debtor.invoice.id)).toContain('invoice.mark_paid')
})

test('the dialogs pass axe and can be used without a pointer', { tag: '@long' }, async ({ page }) => {
  const customer = await addCustomer()
  await signIn(page, `/admin/customers?open=${customer.id}&tab=invoices`)
  await expect(page.getByText('No invoices yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Send Invoice' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Send Invoice' })
  await expect(dialog.getByLabel('Description')).toBeVisible()
  await expectNoViolations(page)
  await dialog.getByLabel('Description').focus()
  for (const text of ['Work', '40', '2']) {
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await dialog.getByLabel('Days until due').press('Enter')
  const preview = page.getByRole('alertdialog', { name: 'Send Invoice' })
  await expect(preview.getByText('owes $80.00')).toBeVisible()
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await expect(dialog.getByLabel('Amount in USD')).toHaveValue('40')
  await dialog.getByLabel('Memo').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await preview.getByRole('button', { name: 'Send $80.00' }).press('Enter')
  await expect(page.getByText(/Sent invoice \S+ for \$80\.00/)).toBeVisible()
  expect(await invoicesAt(customer.id)).toMatchObject([{ status: 'open', total: 8000 }])
})
