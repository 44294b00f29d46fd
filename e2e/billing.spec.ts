import type { Page } from '@playwright/test'
import { api, consoleUrl, dataRows, expect, openSession, sandbox, signIn, test } from './support/test.ts'

type Made = { payment_intent: string; customer: string }
type Wire = { status: string; refunded_amount: number; refundable_amount: number; amount: number }

const refundsOf = async (payment: string) =>
  (await sandbox.dump<{ payment_intent: string; amount: number; status: string }>('refund')).filter(
    (refund) => refund.payment_intent === payment,
  )

/** A payment of a customer of its own, mirrored. */
async function makePayment(amount: number): Promise<Made> {
  const { customer } = await sandbox.scenario<{ customer: string }>('customer_created', {
    name: `Refund Guest ${crypto.randomUUID().slice(0, 8)}`,
  })
  const made = await sandbox.scenario<{ payment_intent: string }>('payment_succeeds', { customer, amount })
  await expect
    .poll(async () => (await api<{ status?: number }>(`/stripe/payments/${made.payment_intent}`)).status)
    .toBeUndefined()
  return { payment_intent: made.payment_intent, customer }
}

async function openRefund(page: Page, payment: string): Promise<void> {
  await page.goto(`${consoleUrl()}/admin/payments?open=${payment}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Issue Refund' }).click()
}

/** What a refund would do is shown before it is pressed; until then the button may move. */
const expectEffect = (page: Page, amount: string) =>
  expect(page.getByRole('alertdialog').getByText(`Revenue falls by ${amount};`)).toBeVisible()

const kindsOf = async (customer: string) =>
  (await api<{ entries: { kind: string }[] }>(`/stripe/customers/${customer}/activity`)).entries.map(({ kind }) => kind)
const paymentOf = async (id: string) => (await api<{ payment: Wire }>(`/stripe/payments/${id}`)).payment

test.afterEach(() => sandbox.clearFaults())

test.describe('refunds', () => {
  test('refunds a part and then the rest, each once at Stripe', async ({ page }) => {
    const { payment_intent: id, customer } = await makePayment(12_345)
    await openSession(page)
    await openRefund(page, id)
    await page.getByLabel('Partial').check()
    await page.getByRole('textbox', { name: /amount/i }).fill('23.45')
    await expectEffect(page, '$23.45')
    await page.getByRole('button', { name: 'Refund $23.45' }).click()
    await expect(page.getByText(/Refunded \$23\.45/)).toBeVisible()
    await expect
      .poll(() => paymentOf(id))
      .toMatchObject({ status: 'succeeded', refunded_amount: 2345, refundable_amount: 10_000 })

    await openRefund(page, id)
    await expectEffect(page, '$100.00')
    await page.getByRole('button', { name: 'Refund $100.00' }).dblclick()
    await expect(page.getByText(/Refunded \$100\.00/)).toBeVisible()
    await expect
      .poll(() => paymentOf(id))
      .toMatchObject({ status: 'refunded', refunded_amount: 12_345, refundable_amount: 0 })
    expect((await refundsOf(id)).map((refund) => refund.amount).sort((a, b) => a - b)).toEqual([2345, 10_000])
    // One deed is one line.
    await expect.poll(() => kindsOf(customer)).toEqual(['refund', 'refund', 'payment'])
  })

  test('refuses to refund more than is left and sends nothing', async ({ page }) => {
    const { payment_intent: id } = await makePayment(12_345)
    await openSession(page)
    await openRefund(page, id)
    await page.getByLabel('Partial').check()
    await page.getByRole('textbox', { name: /amount/i }).fill('124')
    await page.getByRole('button', { name: /^Refund/ }).click()
    await expect(page.getByRole('textbox', { name: /amount/i })).toHaveAttribute('aria-invalid', 'true')
    expect(await refundsOf(id)).toEqual([])
  })

  test('finds out by itself what became of a refund whose answer was lost', async ({ page }) => {
    const { payment_intent: id } = await makePayment(5000)
    await sandbox.fault({ match: 'refunds.create', connection: 'lost', times: 3 })
    await openSession(page)
    await openRefund(page, id)
    await expectEffect(page, '$50.00')
    await page.getByRole('button', { name: 'Refund $50.00' }).click()
    await expect(page.getByText('The answer was lost. Checking whether')).toBeVisible()
    await sandbox.clearFaults()
    await expect.poll(() => paymentOf(id)).toMatchObject({ status: 'refunded' })
    expect(await refundsOf(id)).toHaveLength(1)
  })
})

async function makeSubscription(): Promise<{ subscription: string; customer: string }> {
  const { customer } = await sandbox.scenario<{ customer: string }>('customer_created', {
    name: `Cancel Guest ${crypto.randomUUID().slice(0, 8)}`,
  })
  const made = await sandbox.scenario<{ subscription: string }>('subscription_started', { customer })
  await expect
    .poll(
      async () =>
        (await api<{ subscription?: Sub }>(`/stripe/subscriptions/${made.subscription}`)).subscription?.status,
    )
    .toBe('active')
  return { subscription: made.subscription, customer }
}

type Sub = { status: string; cancel_at_period_end: boolean; mrr: number }
const subscriptionOf = async (id: string) =>
  (await api<{ subscription: Sub }>(`/stripe/subscriptions/${id}`)).subscription

async function openCancel(page: Page, id: string): Promise<void> {
  await page.goto(`${consoleUrl()}/admin/subscriptions?open=${id}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Subscription' }).click()
  // Before it is known what would end, the button says that alone.
  await expect(page.getByRole('radiogroup', { name: 'When' })).toBeVisible()
}

test.describe('cancellations', () => {
  test('cancels at the end of the period, then at once', async ({ page }) => {
    const { subscription: id } = await makeSubscription()
    await openSession(page)
    await openCancel(page, id)
    await page.getByRole('button', { name: 'Cancel subscription at period end' }).click()
    await expect.poll(() => subscriptionOf(id)).toMatchObject({ status: 'active', cancel_at_period_end: true })

    await openCancel(page, id)
    await page.getByLabel('Now').check()
    await page.getByRole('button', { name: 'Cancel subscription now' }).click()
    await expect.poll(() => subscriptionOf(id)).toMatchObject({ status: 'cancelled', mrr: 0 })
    const atStripe = (await sandbox.dump<{ id: string; status: string }>('subscription')).find((one) => one.id === id)
    expect(atStripe?.status).toBe('canceled')
  })

  test('a second cancellation succeeds, changes nothing and sends nothing', async () => {
    const { subscription: id } = await makeSubscription()
    const cancel = () =>
      api<{ success: boolean; subscription: Sub }>(`/stripe/subscriptions/${id}/cancel`, { method: 'POST' })
    expect(await cancel()).toMatchObject({ success: true, subscription: { status: 'cancelled' } })
    const before = (await sandbox.requests()).filter((request) => request.path.includes(id) && request.method !== 'GET')
    expect(await cancel()).toMatchObject({ success: true, subscription: { status: 'cancelled' } })
    const after = (await sandbox.requests()).filter((request) => request.path.includes(id) && request.method !== 'GET')
    expect(after).toHaveLength(before.length)
  })
})

test.describe('the billing screen', () => {
  test('shows the same figures as the API, in cards, tabs and plans', async ({ page }) => {
    await signIn(page, '/admin/subscriptions')
    for (const card of ['Total Revenue', 'Monthly Recurring Revenue', 'Active Subscriptions', 'Failed Payments']) {
      await expect(page.getByText(card, { exact: true }).first()).toBeVisible()
    }
    // The world goes on by itself, so the figure is asked for again until both tell of the same moment.
    await expect(async () => {
      const { stats } = await api<{ stats: { counts: { subscriptions: number } } }>('/stripe/stats')
      const tab = page.getByRole('link', { name: new RegExp(`^Subscriptions.*${stats.counts.subscriptions}`) })
      await expect(tab).toBeVisible({ timeout: 2000 })
    }).toPass()
    await page.getByRole('link', { name: /^Plans/ }).click()
    await expect(page.getByText('Starter Care').first()).toBeVisible()
  })

  test('keeps filters, search and paging in the address', async ({ page }) => {
    await signIn(page, '/admin/payments?status=failed')
    const status = page.getByLabel('Status', { exact: true })
    await expect(status).toHaveValue('failed')
    await expect(dataRows(page).first()).toContainText('Failed')
    await page.reload()
    await expect(status).toHaveValue('failed')
    await expect(dataRows(page).first()).toContainText('Failed')
    await page.getByRole('searchbox').fill('no such payment anywhere')
    await expect(page).toHaveURL(/search=no/)
    await expect(page.getByText(/match/i).first()).toBeVisible()
  })
})
