import type { Page } from '@playwright/test'
import { api, consoleUrl, expect, openSession, sandbox, signIn, test } from './support/test.ts'

type Made = { id: string; subscription: string; name: string }
type Sub = { id: string; status: string; pause_collection: { behavior: string } | null }
type Request = { method: string; path: string; idempotencyKey: string | null }
type Lifecycle = { suspension: unknown; runs: { kind: string; state: string; actor_name: string }[] }

const newName = () => `Account Guest ${crypto.randomUUID().slice(0, 8)}`
const statusOf = async (id: string) =>
  (await api<{ customer?: { status: string } }>(`/stripe/customers/${id}`)).customer?.status
const lifecycleOf = (id: string) => api<Lifecycle>(`/stripe/customers/${id}/lifecycle`)
const atStripe = async (id: string) => (await sandbox.dump<Sub>('subscription')).find((one) => one.id === id)

async function sentAbout(target: string): Promise<Request[]> {
  const all = (await sandbox.requests()) as unknown as Request[]
  return all.filter(({ method, path }) => method !== 'GET' && path.includes(target))
}

async function auditActions(id: string): Promise<string[]> {
  const { entries } = await api<{ entries: { action: string }[] }>(`/admin/audit?resource=customer&resource_id=${id}`)
  return entries.map(({ action }) => action)
}

/** A customer of its own with a live subscription, mirrored. */
async function makeCustomer(): Promise<Made> {
  const name = newName()
  const { customer: id } = await sandbox.scenario<{ customer: string }>('customer_created', { name })
  const { subscription } = await sandbox.scenario<{ subscription: string }>('subscription_started', { customer: id })
  await expect.poll(() => statusOf(id)).toBe('active')
  return { id, subscription, name }
}

async function openMenu(page: Page, { id, name }: Made, entry: string): Promise<void> {
  await page.goto(`${consoleUrl()}/admin/customers?search=${encodeURIComponent(name)}`)
  await page
    .getByRole('row', { name: new RegExp(name) })
    .getByRole('button')
    .last()
    .click()
  await page.getByRole('menuitem', { name: entry }).click()
  await expect(page).toHaveURL(new RegExp(`who=${id}`))
}

const details = (page: Page) => page.getByRole('dialog')
const account = (page: Page) => page.getByRole('region', { name: 'State of the account' })

test('suspends an account: the steps, the pause at Stripe, the notice, the audit log; and lifts it', async ({
  page,
}) => {
  const made = await makeCustomer()
  await openSession(page)
  await openMenu(page, made, 'Suspend Account')
  const dialog = page.getByRole('alertdialog', { name: `Suspend Account: ${made.name}` })
  await expect(dialog.getByText(/1 subscription stays as it is/)).toBeVisible()
  await dialog.getByLabel('Abuse').check()
  await dialog.getByLabel('Pause, void invoices').check()
  await dialog.getByLabel('Email the customer').check()
  await expect(dialog.getByText(/Collection of 1 subscription is paused/)).toBeVisible()
  await expect(dialog.getByText(/Monthly recurring revenue changes by -\$/)).toBeVisible()
  await expect(dialog.getByText(/^Mail to/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Suspend account' }).dblclick()

  await expect(account(page).getByText('Done').first()).toBeVisible()
  await expect(details(page).getByText('Suspended', { exact: true })).toBeVisible()
  await expect.poll(() => statusOf(made.id)).toBe('suspended')
  await expect
    .poll(async () => (await atStripe(made.subscription))?.pause_collection)
    .toMatchObject({ behavior: 'void' })
  const sent = await sentAbout(made.subscription)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.idempotencyKey).toMatch(/^lifecycle-/)
  await expect.poll(() => auditActions(made.id)).toEqual(['customer.suspend', 'customer.suspend'])
  const notices = async () => {
    const { mails } = await api<{ mails: { kind: string }[] }>('/admin/mails')
    return mails.filter(({ kind }) => kind === `customer.suspend:${made.id}`)
  }
  await expect.poll(notices).toHaveLength(1)

  await details(page).getByRole('button', { name: 'More for this customer' }).click()
  await page.getByRole('menuitem', { name: 'Lift suspension' }).click()
  const lifting = page.getByRole('alertdialog', { name: `Lift suspension: ${made.name}` })
  await expect(lifting.getByText(/Collection of 1 subscription is resumed/)).toBeVisible()
  await lifting.getByRole('button', { name: 'Lift suspension' }).click()
  await expect.poll(() => statusOf(made.id)).toBe('active')
  await expect.poll(async () => (await atStripe(made.subscription))?.pause_collection).toBeNull()
  await expect.poll(() => auditActions(made.id)).toContain('customer.unsuspend')
})

test('lifts a suspension for non-payment by itself, within a minute of the payment', async ({ page }) => {
  const made = await makeCustomer()
  await sandbox.scenario('set_card', { customer: made.id, decline: 'insufficient_funds' })
  await sandbox.scenario('subscription_renewed', { subscription: made.subscription })
  // As somebody at Stripe would do it.
  const drafts = `/v1/invoices?subscription=${made.subscription}&status=draft`
  const { data } = await sandbox.get<{ data: { id: string }[] }>(drafts)
  const invoice = data[0]?.id ?? ''
  await sandbox.post(`/v1/invoices/${invoice}/finalize`)
  await sandbox.scenario('invoice_paid', { invoice })
  await expect
    .poll(async () =>
      (
        await api<{ preview: { warnings: string[] } }>(`/stripe/customers/${made.id}/suspend?reason=non_payment`)
      ).preview?.warnings.join(' '),
    )
    .toContain('Ends automatically')
  await openSession(page)
  await openMenu(page, made, 'Suspend Account')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByText(/Ends automatically when the overdue invoice is paid/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Suspend account' }).click()
  await expect.poll(() => statusOf(made.id)).toBe('suspended')
  await sandbox.scenario('set_card', { customer: made.id })
  await sandbox.scenario('invoice_paid', { invoice })
  await expect.poll(async () => (await lifecycleOf(made.id)).suspension).toBeNull()
  await expect
    .poll(async () => (await lifecycleOf(made.id)).runs[0])
    .toMatchObject({ kind: 'unsuspend', actor_name: 'lifecycle.paid' })
})

test('deletes a customer, shows it among the deleted, and restores it', async ({ page }) => {
  const made = await makeCustomer()
  await openSession(page)
  await openMenu(page, made, 'Delete Customer')
  const dialog = page.getByRole('alertdialog', { name: `Delete Customer: ${made.name}` })
  await expect(dialog.getByText(/You can restore the customer for 30 days/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete customer' }).click()
  // The server has done it before the page is told, and what is under way cannot be left.
  await expect(dialog).toBeHidden()
  await expect.poll(() => statusOf(made.id)).toBe('deleted')
  // Where it was begun from, its details open.
  await expect(details(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(details(page)).toBeHidden()
  await expect(page.getByRole('row', { name: new RegExp(made.name) })).toBeHidden()
  expect((await atStripe(made.subscription))?.status).toBe('active')

  await page.getByLabel('Status').selectOption('deleted')
  const row = page.getByRole('row', { name: new RegExp(made.name) })
  await expect(row).toBeVisible()
  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Restore Customer' }).click()
  await page.getByRole('button', { name: 'Restore customer' }).click()
  await expect.poll(() => statusOf(made.id)).toBe('active')
  await expect.poll(() => auditActions(made.id)).toContain('customer.restore')
})

test('deletes at Stripe too, once the name is typed, and erases', async ({ page }) => {
  const made = await makeCustomer()
  await openSession(page)
  await openMenu(page, made, 'Delete Customer')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel(/Also delete at Stripe/).check()
  await expect(dialog.getByText(/1 live subscription ends at once/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete here and at Stripe' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(`Type ${made.name} to confirm`)
  expect(await sentAbout(made.id)).toEqual([])
  await dialog.getByLabel(`Type ${made.name} to confirm`).fill(made.name)
  await dialog.getByRole('button', { name: 'Delete here and at Stripe' }).click()
  await expect.poll(async () => (await lifecycleOf(made.id)).runs[0]?.state).toBe('done')
  expect((await atStripe(made.subscription))?.status).toBe('canceled')
  expect(await sentAbout(made.id)).toHaveLength(1)

  await details(page).getByRole('button', { name: 'More for this customer' }).click()
  await page.getByRole('menuitem', { name: 'Erase now' }).click()
  const erasing = page.getByRole('alertdialog')
  await erasing.getByLabel(`Type ${made.name} to confirm`).fill(made.name)
  await erasing.getByRole('button', { name: 'Erase now' }).click()
  await expect
    .poll(async () => (await api<{ customer: { name: string | null } }>(`/stripe/customers/${made.id}`)).customer.name)
    .toBeNull()
  await expect(account(page).getByText(/Payments and totals stay/)).toBeVisible()
})

test('opens the suspension from billing', async ({ page }) => {
  const made = await makeCustomer()
  await signIn(page, `/admin/subscriptions?search=${encodeURIComponent(made.name)}`)
  await page
    .getByRole('row', { name: new RegExp(made.name) })
    .getByRole('button')
    .last()
    .click()
  await page.getByRole('menuitem', { name: 'Suspend Account' }).click()
  await expect(page.getByRole('alertdialog', { name: `Suspend Account: ${made.name}` })).toBeVisible()
})
