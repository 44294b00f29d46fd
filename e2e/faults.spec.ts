import { api, consoleUrl, dataRows, expect, sandbox, signIn, test } from './support/test.ts'

type Mirror = { problem: string | null }
const mirror = () => api<Mirror>('/mirror')

const faults: [string, object][] = [
  ['down', { status: 503 }],
  ['slow', { delayMs: 30_000 }],
  ['limiting calls', { status: 429, retryAfter: 1 }],
  ['refusing the key', { status: 401 }],
  ['answering HTML', { malformed: 'html' }],
]

test.afterEach(async () => {
  await sandbox.clearFaults()
})

for (const [what, effect] of faults) {
  test(`while Stripe is ${what}, screens keep their data and say what is wrong`, { tag: '@long' }, async ({ page }) => {
    await sandbox.fault({ match: '*', times: null, ...effect })
    await api('/mirror/reconcile', { method: 'POST', body: '{}' })
    await expect.poll(async () => (await mirror()).problem).not.toBeNull()
    const { problem } = await mirror()
    await signIn(page)
    await expect(page.getByText(problem ?? '').first()).toBeVisible()
    for (const screen of ['/admin/customers', '/admin/subscriptions', '/admin/payments']) {
      await page.goto(`${consoleUrl()}${screen}`)
      await expect(dataRows(page).first(), screen).toBeVisible()
    }
    await sandbox.clearFaults()
    await api('/mirror/reconcile', { method: 'POST', body: '{}' })
    await expect.poll(async () => (await mirror()).problem).toBeNull()
  })
}

test('when the console itself cannot be asked, each screen says it in the given words', async ({ page }) => {
  await signIn(page)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.route('**/api/stripe/**', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await page.route('**/api/dashboard**', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await page.goto(`${consoleUrl()}/admin`)
  await expect(page.getByText('Failed to fetch dashboard data. Some information may be unavailable.')).toBeVisible()
  await expect(page.getByText('Data Fetch Error')).toBeVisible()
  await expect(page.getByText('Unable to fetch dashboard data. Please check your connection.')).toBeVisible()
  await page.goto(`${consoleUrl()}/admin/customers`)
  await expect(page.getByText('Failed to load customer data. Please try again.')).toBeVisible()
  await page.goto(`${consoleUrl()}/admin/payments`)
  await expect(
    page.getByText(/Failed to load Stripe data: .+\. Please check the console for details\./).first(),
  ).toBeVisible()
})
