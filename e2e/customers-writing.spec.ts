import type { Page } from '@playwright/test'
import { api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

type Customer = { id: string; name: string; phone: string | null; metadata: Record<string, string> }
type Request = { method: string; name: string; idempotencyKey: string | null; params: Record<string, unknown> }
type Entry = { action: string }

const newName = () => `Writing Guest ${crypto.randomUUID().slice(0, 8)}`
const atStripe = async (name: string) =>
  (await sandbox.dump<Customer>('customer')).filter((customer) => customer.name === name)
const writes = async (name: string) =>
  ((await sandbox.requests()) as unknown as Request[]).filter((request) => request.name === name)
const customerOf = async (id: string) => (await api<{ customer: Customer }>(`/stripe/customers/${id}`)).customer

async function auditActions(customer: string): Promise<string[]> {
  const { entries } = await api<{ entries: Entry[] }>(`/admin/audit?resource=customer&resource_id=${customer}`)
  return entries.map(({ action }) => action)
}

async function openAdd(page: Page) {
  await page.getByRole('button', { name: 'Add Customer' }).click()
  return page.getByRole('dialog', { name: 'Add Customer' })
}

/** A customer that was added by the API, so that it is mirrored. */
async function added(part: object = {}): Promise<Customer> {
  const body = JSON.stringify({ name: newName(), ...part })
  return (await api<{ customer: Customer }>('/stripe/customers', { method: 'POST', body })).customer
}

test.afterEach(() => sandbox.clearFaults())

test('adds a customer: one call to Stripe for a double click, then the list, the details and the audit log', async ({
  page,
}) => {
  const name = newName()
  await signIn(page, '/admin/customers')
  const before = (await writes('customers.create')).length
  const dialog = await openAdd(page)
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Email').fill(`${crypto.randomUUID()}@example.com`)
  await dialog.getByLabel('Company').fill('Guest House')
  await dialog.getByLabel('Account type').selectOption('enterprise')
  await dialog.getByRole('button', { name: 'Add metadata' }).click()
  await dialog.getByLabel('Key 1').fill('source')
  await dialog.getByLabel('Value 1').fill('fair')
  await dialog.getByRole('button', { name: 'Add Customer' }).dblclick()
  await expect(page.getByText(`Added ${name}`)).toBeVisible()
  const details = page.getByRole('dialog')
  await expect(details.getByRole('heading', { name })).toBeVisible()
  await expect(details.getByText('Enterprise', { exact: true })).toBeVisible()

  const [made, ...others] = await atStripe(name)
  expect(others).toEqual([])
  expect(made?.metadata).toMatchObject({ company: 'Guest House', account_type: 'enterprise', source: 'fair' })
  const sent = (await writes('customers.create')).slice(before)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.idempotencyKey).toMatch(/^customer_create-/)
  expect(await customerOf(made!.id)).toMatchObject({ name, metadata: { source: 'fair' } })
  expect(await auditActions(made!.id)).toContain('customer.create')
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible()
})

test('warns of an email that somebody has, and adds all the same', async ({ page }) => {
  const email = `${crypto.randomUUID()}@example.com`
  const first = await added({ email })
  const name = newName()
  await signIn(page, '/admin/customers')
  const dialog = await openAdd(page)
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Email').fill(email.toUpperCase())
  await dialog.getByLabel('Phone').focus()
  await expect(dialog.getByText('This customer has this email already:')).toBeVisible()
  await expect(dialog.getByRole('link', { name: first.name })).toBeVisible()
  await dialog.getByRole('button', { name: 'Add anyway' }).click()
  await expect(page.getByText(`Added ${name}`)).toBeVisible()
})

test('edits a customer: what differs goes to Stripe, then the screen and the audit log', async ({ page }) => {
  const { id, name } = await added({ phone: '1', metadata: { old: '1', kept: '2' } })
  await signIn(page, `/admin/customers?open=${id}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Edit Customer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Customer' })
  await dialog.getByLabel('Phone').fill('+1 207 555 0199')
  const row = dialog.getByLabel('Value 1')
  const number = (await row.inputValue()) === '1' ? 1 : 2
  await dialog.getByRole('button', { name: `Remove pair ${number}` }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`Saved ${name}`)).toBeVisible()
  await expect(page.getByRole('dialog').getByText('+1 207 555 0199')).toBeVisible()
  const [there] = await atStripe(name)
  expect(there).toMatchObject({ id, phone: '+1 207 555 0199' })
  expect(there?.metadata).toMatchObject({ kept: '2' })
  expect(there?.metadata).not.toHaveProperty('old')
  const { expand: _, ...params } = (await writes('customers.update')).at(-1)!.params
  expect(params).toEqual({ phone: '+1 207 555 0199', metadata: { old: '' } })
  expect(await auditActions(id)).toEqual(expect.arrayContaining(['customer.create', 'customer.update']))
})

test('keeps what was typed when somebody else changes the customer meanwhile', async ({ page }) => {
  const name = newName()
  const { customer: id } = await sandbox.scenario<{ customer: string }>('customer_created', { name })
  await expect.poll(async () => (await customerOf(id))?.name).toBe(name)
  await signIn(page, `/admin/customers?open=${id}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Edit Customer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Customer' })
  await dialog.getByLabel('Company').fill('Typed')
  await sandbox.scenario('customer_updated', { customer: id, phone: '+1 207 555 0123' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText(/Someone else changed this customer/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Load current state' }).click()
  await expect(dialog.getByLabel('Phone')).toHaveValue('+1 207 555 0123')
  await expect(dialog.getByLabel('Company')).toHaveValue('Typed')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`Saved ${name}`)).toBeVisible()
  expect(await customerOf(id)).toMatchObject({ phone: '+1 207 555 0123', metadata: { company: 'Typed' } })
})

test('after a lost answer a second try makes nothing twice', async ({ page }) => {
  const name = newName()
  await signIn(page, '/admin/customers')
  const dialog = await openAdd(page)
  await dialog.getByLabel('Name').fill(name)
  await sandbox.fault({ match: 'customers.create', connection: 'lost', times: null })
  await sandbox.fault({ match: 'customers.list', connection: 'destroy', times: null })
  await dialog.getByRole('button', { name: 'Add Customer' }).click()
  await expect(dialog.getByText(/Trying again is safe/)).toBeVisible()
  await sandbox.clearFaults()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(`Added ${name}`)).toBeVisible()
  expect(await atStripe(name)).toHaveLength(1)
})

test('writes, edits and deletes a note, which stands in the timeline and in the audit log', async ({ page }) => {
  const { id } = await added()
  await signIn(page, `/admin/customers?open=${id}&tab=notes`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New note').fill('Called.\n<b>Wants more</b>')
  await dialog.getByRole('button', { name: 'Add note' }).click()
  await expect(dialog.getByText('<b>Wants more</b>')).toBeVisible()
  await dialog.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabel('Edit note').fill('Called back')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Called back')).toBeVisible()
  await dialog.getByRole('tab', { name: 'Activity Log' }).click()
  await expect(dialog.getByText('Called back')).toBeVisible()
  await page.goto(`${consoleUrl()}/admin/customers?open=${id}&tab=notes`)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete note' }).click()
  await expect(dialog.getByText('No notes about this customer yet.')).toBeVisible()
  const written = async () => {
    const { entries } = await api<{ entries: Entry[] }>('/admin/audit?resource=customer_note&limit=3')
    return entries.map(({ action }) => action)
  }
  await expect.poll(written).toEqual(['customer_note.delete', 'customer_note.update', 'customer_note.create'])
})
