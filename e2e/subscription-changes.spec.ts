import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { api, consoleUrl, expect, openSession, sandbox, signIn, test } from './support/test.ts'

type Sub = {
  status: string
  plan_name: string
  mrr: number
  cancel_at_period_end: boolean
  pause_collection: string | null
  pause_resumes_at: string | null
}
type Request = { method: string; path: string; params: Record<string, unknown> }
type Entry = { action: string; outcome: string; details: string }

const subscriptionOf = async (id: string) =>
  (await api<{ subscription?: Sub }>(`/stripe/subscriptions/${id}`)).subscription

const atStripe = async (id: string) =>
  (await sandbox.dump<{ id: string }>('subscription')).find((subscription) => subscription.id === id)

const writesTo = async (id: string) =>
  ((await sandbox.requests()) as unknown as Request[]).filter(
    ({ method, path }) => method !== 'GET' && path === `/v1/subscriptions/${id}`,
  )

/** Newest first. */
async function auditOf(id: string): Promise<string[]> {
  const { entries } = await api<{ entries: Entry[] }>(`/admin/audit?resource=subscription&resource_id=${id}`)
  return entries.map(({ action, outcome }) => `${action} ${outcome}`)
}

async function makeSubscription(price = 'starter.month.usd'): Promise<{ id: string; name: string; customer: string }> {
  const name = `Change Guest ${crypto.randomUUID().slice(0, 8)}`
  const { customer } = await sandbox.scenario<{ customer: string }>('customer_created', { name })
  const { subscription: id } = await sandbox.scenario<{ subscription: string }>('subscription_started', {
    customer,
    price,
  })
  await expect.poll(async () => (await subscriptionOf(id))?.status).toBe('active')
  return { id, name, customer }
}

async function openDetails(page: Page, id: string): Promise<void> {
  await page.goto(`${consoleUrl()}/admin/subscriptions?open=${id}`)
  await expect(page.getByRole('dialog').getByText('Subscription ID')).toBeVisible()
}

async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test('undoes a scheduled cancellation from the details', async ({ page }) => {
  const { id } = await makeSubscription()
  await openSession(page)
  await openDetails(page, id)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Subscription' }).click()
  await expect(page.getByText(/The cancellation can be undone until/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel subscription at period end' }).click()
  await expect.poll(() => subscriptionOf(id)).toMatchObject({ cancel_at_period_end: true })

  await expect(page.getByRole('note')).toContainText('Cancels on')
  await page.getByRole('note').getByRole('button', { name: 'Undo' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Undo cancellation' })
  await expect(dialog.getByText(/continues after/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Undo cancellation' }).click()
  await expect(page.getByText(/Undid the cancellation of/)).toBeVisible()
  await expect.poll(() => subscriptionOf(id)).toMatchObject({ status: 'active', cancel_at_period_end: false })
  await expect(page.getByRole('note')).toBeHidden()
  expect(await atStripe(id)).toMatchObject({ cancel_at_period_end: false, cancel_at: null })
  expect((await writesTo(id)).map(({ params }) => params['cancel_at_period_end'])).toEqual(['true', 'false'])
  await expect
    .poll(async () => (await auditOf(id)).slice(0, 2))
    .toEqual(['subscription.undo_cancel done', 'subscription.undo_cancel done'])
})

test('pauses until a date and resumes, from the row menu', async ({ page }) => {
  const { id, name } = await makeSubscription()
  await signIn(page, `/admin/subscriptions?search=${encodeURIComponent(name)}`)
  const menu = () => page.getByRole('button', { name: `Actions for ${name}` })
  await menu().click()
  await page.getByRole('menuitem', { name: 'Pause Collection' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Pause collection' })
  await expect(dialog.getByText(/Monthly recurring revenue falls by/)).toBeVisible()
  await dialog.getByLabel(/Keep as drafts/).check()
  await dialog.getByLabel('Until a date').check()
  await dialog.getByRole('button', { name: 'Pause collection' }).click()
  await expect(dialog.getByText('Choose the last day of the pause')).toBeVisible()
  expect(await writesTo(id)).toEqual([])
  const { violations } = await axe(page).include('[role=alertdialog]').analyze()
  expect(violations).toEqual([])
  await dialog.getByLabel('Last day of the pause').fill('2099-01-31')
  // The preview of that day has come, and the button has its place.
  await expect(dialog.getByText(/Resumes automatically on 2\/1\/2099/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Pause collection' }).click()
  await expect(page.getByText(`Paused collection of Starter Care of ${name}`)).toBeVisible()
  await expect
    .poll(() => subscriptionOf(id))
    .toMatchObject({
      status: 'active',
      // What is owed stays recurring revenue; what is voided or written off does not.
      mrr: 2900,
      pause_collection: 'keep_as_draft',
      pause_resumes_at: '2099-02-01T00:00:00Z',
    })
  expect(await atStripe(id)).toMatchObject({ pause_collection: { behavior: 'keep_as_draft' } })
  await expect(page.getByText('Paused until 2/1/2099')).toBeVisible()

  await menu().click()
  await page.getByRole('menuitem', { name: 'Resume Collection' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Resume collection' }).getByRole('listitem').first()).toBeVisible()
  await page.getByRole('button', { name: 'Resume collection' }).click()
  await expect(page.getByText(`Resumed collection of Starter Care of ${name}`)).toBeVisible()
  await expect.poll(() => subscriptionOf(id)).toMatchObject({ pause_collection: null, mrr: 2900 })
  expect(await atStripe(id)).toMatchObject({ pause_collection: null })
  await expect
    .poll(async () => new Set(await auditOf(id)))
    .toEqual(new Set(['subscription.pause done', 'subscription.resume done']))
})

test('changes the plan and charges what the preview has shown', async ({ page }) => {
  const { id } = await makeSubscription()
  await openSession(page)
  await openDetails(page, id)
  await choose(page, 'Change Plan')
  const dialog = page.getByRole('alertdialog', { name: 'Change plan' })
  const price = dialog.getByLabel('New price')
  const charge = dialog.getByLabel('Charge now')
  const place = await charge.boundingBox()
  await price.selectOption({ label: 'Business Care: $149.00 / month' })
  await charge.check()
  const button = dialog.getByRole('button', { name: /^Change plan and charge \$/ })
  await expect(button).toBeVisible()
  // What is aimed at does not move away when the preview comes.
  expect((await charge.boundingBox())?.y).toBe(place?.y)
  await expect(dialog.getByText(/rises by \$120\.00 at once/)).toBeVisible()
  const { violations } = await axe(page).include('[role=alertdialog]').analyze()
  expect(violations).toEqual([])
  // Read last: the preview is made anew when something changes.
  const shown = (await button.textContent())?.match(/\$[\d,.]+/)?.[0] ?? ''
  await expect(dialog.getByRole('region', { name: 'Next invoice' })).toContainText(`Due now${shown}`)
  await button.click()
  await expect(page.getByText(/Changed the plan to Business Care of/)).toBeVisible()
  await expect.poll(() => subscriptionOf(id)).toMatchObject({ plan_name: 'Business Care', mrr: 14_900 })
  const there = (await atStripe(id)) as unknown as { latest_invoice: string }
  const invoices = await sandbox.dump<{ id: string; amount_paid: number; status: string }>('invoice')
  const paid = invoices.find((invoice) => invoice.id === there.latest_invoice)
  expect(paid?.status).toBe('paid')
  expect(`$${((paid?.amount_paid ?? 0) / 100).toFixed(2)}`).toBe(shown)
  const sent = await writesTo(id)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.params).toMatchObject({
    proration_behavior: 'always_invoice',
    payment_behavior: 'error_if_incomplete',
  })
  await expect.poll(async () => (await auditOf(id))[0]).toBe('subscription.change_plan done')
})

test('a declined card leaves plan and money as they were', async ({ page }) => {
  const { id, customer } = await makeSubscription()
  await sandbox.scenario('set_card', { customer, decline: 'insufficient_funds' })
  await openSession(page)
  await openDetails(page, id)
  await choose(page, 'Change Plan')
  const dialog = page.getByRole('alertdialog', { name: 'Change plan' })
  await dialog.getByLabel('New price').selectOption({ label: 'Business Care: $149.00 / month' })
  await dialog.getByLabel('Charge now').check()
  await dialog.getByRole('button', { name: /^Change plan and charge/ }).click()
  await expect(dialog.getByText('Stripe refused this: Your card has insufficient funds.')).toBeVisible()
  expect(await subscriptionOf(id)).toMatchObject({ plan_name: 'Starter Care', mrr: 2900, status: 'active' })
  await expect.poll(async () => (await auditOf(id))[0]).toBe('subscription.change_plan failed')
})

test('finds out by itself what became of a pause whose answer was lost', { tag: '@long' }, async ({ page }) => {
  const { id } = await makeSubscription()
  await sandbox.fault({ match: 'subscriptions.update', connection: 'lost', times: 2 })
  await openSession(page)
  await openDetails(page, id)
  await choose(page, 'Pause Collection')
  await expect(page.getByText(/Monthly recurring revenue falls by/)).toBeVisible()
  await page.getByRole('button', { name: 'Pause collection' }).click()
  await expect(page.getByText('The answer was lost. Checking whether')).toBeVisible()
  await sandbox.clearFaults()
  await expect(page.getByText(/Done: collection of .* was paused/)).toBeVisible()
  expect(await subscriptionOf(id)).toMatchObject({ pause_collection: 'void' })
  expect(await atStripe(id)).toMatchObject({ pause_collection: { behavior: 'void' } })
})

test('all of it by keyboard alone', async ({ page }) => {
  const { id, name } = await makeSubscription()
  await signIn(page, `/admin/subscriptions?search=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Actions for ${name}` }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'View Details' })).toBeFocused()
  await page.keyboard.type('pause')
  await expect(page.getByRole('menuitem', { name: 'Pause Collection' })).toBeFocused()
  await page.keyboard.press('Enter')
  const confirm = page.getByRole('button', { name: 'Pause collection' })
  await expect(page.getByText(/Monthly recurring revenue falls by/)).toBeVisible()
  for (let presses = 0; presses < 12; presses++) {
    if (await confirm.evaluate((button) => button === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await expect(confirm).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => subscriptionOf(id)).toMatchObject({ pause_collection: 'void' })
})
