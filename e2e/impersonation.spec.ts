import type { Page } from '@playwright/test'
import { api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

type Request = { name: string; params: Record<string, unknown> }
type Row = { id: string; state: string; cause: string | null; reason: string; pages: string[]; actor_name: string }
type Entry = { action: string; details: string; resource_id: string }

const reason = 'Asked us why the invoice is higher'
const newName = () => `Viewed Guest ${crypto.randomUUID().slice(0, 8)}`

/** A customer with a payment, mirrored. */
async function makeCustomer(): Promise<{ id: string; name: string }> {
  const name = newName()
  const { customer: id } = await sandbox.scenario<{ customer: string }>('customer_created', { name })
  await sandbox.scenario('payment_succeeds', { customer: id, amount: 4321 })
  await expect
    .poll(async () => (await api<{ payments?: unknown[] }>(`/stripe/payments?customer=${id}`)).payments?.length)
    .toBe(1)
  return { id, name }
}

const asked = async () =>
  ((await sandbox.requests()) as unknown as Request[]).filter(({ name }) => name === 'billingPortal.sessions.create')

const newestOf = async (name: string): Promise<Row | undefined> => {
  const { impersonations } = await api<{ impersonations: (Row & { customer_name: string })[] }>('/admin/impersonations')
  return impersonations.find((row) => row.customer_name === name)
}

async function entriesOf(customer: string): Promise<Entry[]> {
  const { entries } = await api<{ entries: Entry[] }>(`/admin/audit?resource=customer&resource_id=${customer}`)
  return entries.filter(({ action }) => action.startsWith('impersonation.'))
}

async function openDialog(page: Page, name: string) {
  await signIn(page, `/admin/customers?search=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Impersonate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Impersonate' })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason)
  return dialog
}

test('views an account here: reason, banner on every page, what is seen, the end and the audit log', async ({
  page,
}) => {
  const { id, name } = await makeCustomer()
  const dialog = await openDialog(page, name)
  await dialog.getByLabel('Ticket ID (optional)').fill('T-17')
  await dialog.getByRole('button', { name: 'Start view' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  const banner = page.getByRole('complementary', { name: 'Impersonation' })
  await expect(banner).toContainText(name)
  await expect(banner.getByRole('timer')).toHaveText(/^(29|30):\d\d$/)
  await page.getByRole('link', { name: 'Payments', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Payments' }).getByText('$43.21')).toBeVisible()

  for (const path of ['/admin', '/admin/subscriptions', '/admin/health']) {
    await page.goto(`${consoleUrl()}${path}`)
    await expect(banner).toBeVisible()
  }
  await expect.poll(() => newestOf(name)).toMatchObject({ state: 'live', reason, pages: ['account', 'payments'] })
  expect((await entriesOf(id)).map(({ action }) => action)).toEqual(['impersonation.start'])

  await page.goto(`${consoleUrl()}/admin/impersonation`)
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('Live')
  await banner.getByRole('button', { name: 'End' }).click()
  await expect(banner).toBeHidden()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('Ended')
  await expect.poll(() => newestOf(name)).toMatchObject({ state: 'ended', cause: 'ended' })
  await expect
    .poll(async () => (await entriesOf(id))[0])
    .toMatchObject({ action: 'impersonation.end', details: expect.stringContaining('2 pages viewed') })
})

test('a view ends with the sign-out, and shows nothing afterwards', async ({ page }) => {
  const { name } = await makeCustomer()
  const dialog = await openDialog(page, name)
  await dialog.getByRole('button', { name: 'Start view' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  const address = page.url()
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
  await expect.poll(() => newestOf(name)).toMatchObject({ state: 'ended', cause: 'signed_out' })
  await signIn(page, new URL(address).pathname)
  await expect(page.getByText('Ended at sign-out.')).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Impersonation' })).toBeHidden()
})

test('opens the billing portal in a new tab: one call to Stripe, its address kept nowhere', async ({
  page,
  context,
}) => {
  const { id, name } = await makeCustomer()
  const before = (await asked()).length
  const dialog = await openDialog(page, name)
  await dialog.getByRole('radio', { name: /Open the billing portal/ }).check()
  const opening = context.waitForEvent('page')
  await dialog.getByRole('button', { name: 'Open portal' }).click()
  const tab = await opening
  // Said for some seconds only, however long the portal takes.
  await expect(page.getByText(`Opened the billing portal as ${name}`)).toBeVisible()
  await tab.waitForURL(/\/p\/session\//)
  expect(await tab.evaluate(() => window.opener)).toBeNull()
  await expect(tab.getByText(name)).toBeVisible()

  const sent = (await asked()).slice(before)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.params).toMatchObject({ customer: id })
  await expect.poll(() => newestOf(name)).toMatchObject({ state: 'handed_over', cause: null, reason })
  const entries = await entriesOf(id)
  expect(entries.map(({ action }) => action)).toEqual(['impersonation.start', 'impersonation.start'])
  const secret = tab.url().slice(-20)
  expect(JSON.stringify(entries)).not.toContain(secret)
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(secret)

  await page.goto(`${consoleUrl()}/admin/impersonation`)
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('Opened')
})

test('closes the new tab again when Stripe does not open the portal, and writes that down', async ({
  page,
  context,
}) => {
  const { id, name } = await makeCustomer()
  const dialog = await openDialog(page, name)
  await dialog.getByRole('radio', { name: /Open the billing portal/ }).check()
  await sandbox.fault({ match: 'billingPortal.sessions.create', status: 503, times: null })
  await dialog.getByRole('button', { name: 'Open portal' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Stripe')
  await sandbox.clearFaults()
  await expect.poll(() => context.pages().length).toBe(1)
  await expect.poll(() => newestOf(name)).toMatchObject({ state: 'failed', cause: 'provider_failed' })
  await expect.poll(async () => (await entriesOf(id))[0]?.details).toContain('Could not open')
})
