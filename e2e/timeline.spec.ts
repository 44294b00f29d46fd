import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

type Entry = { kind: string; title: string; at: string }
type Request = { name: string; params: Record<string, unknown> }

const newCustomer = async () => {
  const name = `Timeline Guest ${crypto.randomUUID().slice(0, 8)}`
  const { customer } = await sandbox.scenario<{ customer: string }>('customer_created', { name })
  return customer
}
const pay = async (customer: string, amount: number) =>
  (await sandbox.scenario<{ payment_intent: string }>('payment_succeeds', { customer, amount })).payment_intent
const readTimeline = async (customer: string, query = '') =>
  (await api<{ entries?: Entry[] }>(`/stripe/customers/${customer}/activity?${query}`)).entries ?? []
const post = (path: string, body: object) =>
  api(path, { method: 'POST', body: JSON.stringify(body), headers: { 'idempotency-key': crypto.randomUUID() } })

const open = (customer: string, more = '') => `/admin/customers?open=${customer}&tab=activity${more}`
const kind = (page: Page, name: string) => page.getByRole('group', { name: 'Kinds' }).getByRole('button', { name })
const entries = (page: Page) => page.getByRole('tabpanel').getByRole('listitem')

test('a payment appears without a reload, and its refund with who did it', async ({ page }) => {
  const customer = await newCustomer()
  // The world goes on by itself, so the guest may have paid for something else already.
  const paid = entries(page).filter({ hasText: '$43.21' }).filter({ hasText: 'Payment succeeded' })
  await signIn(page, open(customer))
  await expect(kind(page, 'Payments')).toBeVisible()
  await expect(paid).toHaveCount(0)
  const payment = await pay(customer, 4321)
  await expect(paid).toBeVisible()
  await expect(paid.getByRole('link')).toHaveAttribute('href', `/admin/payments?open=${payment}`)

  await post(`/stripe/payments/${payment}/refund`, { amount: 321 })
  // One line: what Stripe shows, with who did it, and its states inside.
  const refund = entries(page).filter({ hasText: '$3.21' }).filter({ hasText: 'by Admin key' })
  await expect(refund).toHaveCount(1)
  await expect(refund.getByText('2 steps')).toBeVisible()
  await expect(entries(page).filter({ hasText: '$3.21' })).toHaveCount(1)
  await refund.getByText('2 steps').click()
  await expect(refund.getByText('Refunded $3.21 to ')).toBeVisible()
  const sent = ((await sandbox.requests()) as unknown as Request[]).filter(({ name }) => name === 'refunds.create')
  expect(sent.some(({ params }) => params['payment_intent'] === payment)).toBe(true)
  const { entries: audit } = await api<{ entries: { action: string }[] }>(
    `/admin/audit?resource=payment&resource_id=${payment}`,
  )
  expect(audit.map((one) => one.action)).toContain('payment.refund')
})

test('narrows to kinds in the URL, which a reload keeps and closing forgets', async ({ page }) => {
  const customer = await newCustomer()
  const payment = await pay(customer, 1000)
  // The customer is told of before the payment, which cannot be refunded until the console has it.
  const paid = async () => (await api<{ payment?: { status: string } }>(`/stripe/payments/${payment}`)).payment?.status
  await expect.poll(paid).toBe('succeeded')
  await post(`/stripe/payments/${payment}/refund`, { amount: 100 })
  await expect.poll(async () => (await readTimeline(customer, 'kinds=refund')).length).toBe(1)
  await signIn(page, open(customer))
  await expect(entries(page).filter({ hasText: 'Payment succeeded' }).first()).toBeVisible()
  await kind(page, 'Refunds').click()
  await expect(page).toHaveURL(/kinds=refund/)
  await expect(entries(page)).toHaveCount(1)
  await page.reload()
  await expect(kind(page, 'Refunds')).toHaveAttribute('aria-pressed', 'true')
  await expect(entries(page)).toHaveCount(1)
  await kind(page, 'Refunds').press('Space')
  await expect(entries(page).filter({ hasText: 'Payment succeeded' }).first()).toBeVisible()
  await kind(page, 'Disputes').click()
  await expect(page.getByText('Nothing of this kind happened.')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(`${consoleUrl()}/admin/customers`)
})

test('jumps to a day and goes on from there to older and newer entries', async ({ page }) => {
  const { payments } = await api<{ payments: { customer_id: string | null }[] }>('/stripe/payments?limit=100')
  const counts = new Map<string, number>()
  for (const { customer_id: id } of payments) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
  // Somebody with much to tell, of more days than today: other tests make customers who live only now.
  let all: Awaited<ReturnType<typeof readTimeline>> = []
  let day = ''
  let customer = ''
  for (const [id] of [...counts].sort((a, b) => b[1] - a[1])) {
    all = await readTimeline(id, 'limit=100')
    const middle = all[Math.floor(all.length / 2)]
    if (!middle) continue
    ;[customer, day] = [id, middle.at.slice(0, 10)]
    if (Date.parse(all[0]!.at) - Date.parse(middle.at) > 3 * 86_400_000) break
  }
  await signIn(page, open(customer))
  await expect(entries(page).first()).toBeVisible()
  await page.getByLabel('Jump to').fill(day)
  await expect(page).toHaveURL(new RegExp(`until=${day}`))
  await expect(page.getByRole('button', { name: 'Show newer' })).toBeVisible()
  const newestShown = async () =>
    Date.parse((await entries(page).first().locator('time').getAttribute('datetime')) ?? '')
  await expect.poll(newestShown).toBeLessThan(Date.parse(`${day}T00:00:00Z`) + 2 * 86_400_000)
  const newest = await newestShown()
  const before = await entries(page).count()
  await page.getByRole('button', { name: 'Show newer' }).click()
  await expect.poll(() => entries(page).count()).toBeGreaterThan(before)
  expect(await newestShown()).toBeGreaterThanOrEqual(newest)
  await page.getByRole('button', { name: 'Back to now' }).click()
  // Somebody with much to tell may have something new to tell meanwhile.
  await expect.poll(newestShown).toBeGreaterThanOrEqual(Date.parse(all[0]!.at))
})

test('a cancellation and its end are told once each, with their times', async ({ page }) => {
  const customer = await newCustomer()
  const { subscription: id } = await sandbox.scenario<{ subscription: string }>('subscription_started', { customer })
  await expect
    .poll(async () => (await api<{ subscription?: object }>(`/stripe/subscriptions/${id}`)).subscription)
    .toBeDefined()
  await signIn(page, open(customer, '&kinds=subscription'))
  await expect(entries(page).filter({ hasText: 'Subscription started' }).first()).toBeVisible()
  await post(`/stripe/subscriptions/${id}/cancel`, { at: 'period_end' })
  const scheduled = entries(page).filter({ hasText: 'Cancellation scheduled' })
  await expect(scheduled.first()).toBeVisible()
  await expect
    .poll(async () =>
      (await readTimeline(customer, 'kinds=subscription')).filter(({ title }) => /scheduled/.test(title)),
    )
    .toHaveLength(1)
  await expect(scheduled).toHaveCount(1)
})

test('a note in the audit log leads to the Notes of its customer, which a phone shows', async ({ page }) => {
  const customer = await newCustomer()
  await expect
    .poll(async () => (await api<{ customer?: object }>(`/stripe/customers/${customer}`)).customer !== undefined)
    .toBe(true)
  await post(`/stripe/customers/${customer}/notes`, { text: 'Wants a call' })
  const { entries: audit } = await api<{ entries: { link: string }[] }>('/admin/audit?resource=customer_note&limit=1')
  expect(audit[0]?.link).toBe(`/admin/customers?open=${customer}&tab=notes`)
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, audit[0]!.link)
  await expect(page.getByText('Wants a call')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Notes' })).toBeInViewport({ ratio: 0.9 })
})

test('passes axe and fits a phone', { tag: '@long' }, async ({ page }) => {
  const customer = await newCustomer()
  await pay(customer, 1234)
  await expect.poll(async () => (await readTimeline(customer)).length).toBeGreaterThan(0)
  await signIn(page, open(customer))
  await expect(entries(page).first()).toBeVisible()
  for (const width of [1440, 900, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const { violations } = await axe(page).include('[role=dialog]').analyze()
    expect(
      violations.map(({ id }) => id),
      `${width}`,
    ).toEqual([])
    const dialog = page.getByRole('dialog')
    expect(
      await dialog.evaluate((element) => element.scrollWidth - element.clientWidth),
      `${width}`,
    ).toBeLessThanOrEqual(0)
  }
})
