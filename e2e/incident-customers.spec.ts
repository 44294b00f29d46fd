import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { type MailCatcher, startMailCatcher } from './support/mail-catcher.ts'
import {
  alertAfter,
  auditActions,
  incidentOf,
  lookUntil,
  openIncident,
  repairSites,
  resolveIncident,
} from './support/monitoring.ts'
import { api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

test.afterEach(repairSites)

type Site = { id: string; domain: string; customer_id: string | null }
type Subscription = { id: string; product_id: string | null; plan_id?: string | null }

const json = (body: unknown) => JSON.stringify(body)
const change = (changes: Record<string, string | null>) =>
  api('/admin/settings', { method: 'PATCH', body: json({ changes }) })

/** A customer who pays for a plan, as the owner of a site of the demo. */
async function ownerOf(domain: string): Promise<{ customer: string; name: string; email: string }> {
  const customer = String((await sandbox.scenario('customer_created'))['customer'])
  await sandbox.scenario('subscription_started', { customer, price: 'starter.month.usd' })
  type Found = { customer?: { name: string; email: string; subscriptions: Subscription[] } }
  let found: Found['customer']
  await expect(async () => {
    found = (await api<Found>(`/stripe/customers/${customer}`)).customer
    expect(found?.subscriptions).toHaveLength(1)
  }).toPass()
  const { sites } = await api<{ sites: (Site & { version: number })[] }>(`/sites?search=${domain}`)
  const site = sites.find((one) => one.domain === domain)!
  const { site: whole } = await api<{ site: { version: number } }>(`/sites/${site.id}`)
  await api(`/sites/${site.id}`, { method: 'PATCH', body: json({ customer_id: customer, version: whole.version }) })
  return { customer, name: found!.name, email: found!.email }
}

test('affected customers are written to, once, with their own site and no other name', { tag: '@long' }, async ({
  page,
}) => {
  const mails: MailCatcher = await startMailCatcher()
  try {
    const { name, email } = await ownerOf('foghorn-restorers.example')
    const alert = await alertAfter('foghorn-restorers', 'failing', 'down')
    const { id } = await openIncident('Somebody else is down', 'sev3', [alert.id])
    await signIn(page, `/admin/incidents/${id}?tab=customers`)
    await expect(page.getByRole('link', { name: 'Set "Mail server" under System Config' })).toBeVisible()
    await change({ 'mail.smtp_url': mails.url, 'mail.from': 'Agency <console@example.com>' })
    const send = page.getByRole('button', { name: 'Email 1 customer' })
    await expect(send).toBeEnabled()
    await page.getByRole('button', { name: 'Preview' }).click()
    const preview = page.getByRole('dialog', { name: 'Preview' })
    await expect(preview).toContainText(`Hello ${name},`)
    await expect(preview).toContainText('foghorn-restorers.example')
    await expect(preview).not.toContainText('Somebody else')
    await preview.getByRole('button', { name: 'Close' }).click()
    await send.dblclick()
    const log = page.getByRole('list', { name: 'Customers of Problem with {sites}' })
    await expect(log.getByText('Sent', { exact: true })).toBeVisible()
    await send.click()
    await expect(page.getByText('Every affected customer already got this notice. Nothing was sent.')).toBeVisible()
    expect(mails.received.map(({ to }) => to)).toEqual([email])
    expect(mails.received[0]?.raw).toContain('Subject: Problem with foghorn-restorers.example')
    expect((await incidentOf(id)).events.at(-1)).toMatchObject({ kind: 'customers_notified' })
    expect(await auditActions('incident', id)).toEqual(['incident.notify_customers', 'incident.open'])
    expect((await axe(page).analyze()).violations).toEqual([])
    await expectToFit(page, [390], 'notices')
  } finally {
    await change({ 'mail.smtp_url': null, 'mail.from': null })
    await mails.stop()
  }
})

test('a credit is computed from a promise, given on one press, and stands on the balance at Stripe once', {
  tag: '@long',
}, async ({ page }) => {
  const { customer, name } = await ownerOf('blueberrybarrens.example')
  await signIn(page, '/admin/subscriptions?tab=plans')
  await page
    .getByRole('button', { name: /^Change the uptime promise of Starter/ })
    .first()
    .click()
  const promise = page.getByRole('dialog', { name: /^Uptime promise of/ })
  await promise.getByLabel('Promised uptime (%)').fill('99.999')
  await promise.getByLabel('Step 1: below (%)').fill('99.999')
  await promise.getByRole('button', { name: 'Save promise' }).click()
  await expect(page.getByText(/promises 99\.999%/)).toBeVisible()

  const alert = await alertAfter('blueberrybarrens', 'failing', 'down')
  const { id, number } = await openIncident('Somebody else is down', 'sev3', [alert.id])
  await page.goto(`${consoleUrl()}/admin/incidents/${id}?tab=credits`)
  await expect(page.getByText(/^You can give credits once the incident is resolved/)).toBeVisible()
  const owed = async () => (await api<{ credits: { amount: number }[] }>(`/incidents/${id}/credits`)).credits[0]?.amount
  // A month bears 26 seconds of downtime under this promise.
  await expect.poll(owed).toBeGreaterThan(0)
  await repairSites()
  await lookUntil('blueberrybarrens', 'healthy')
  await resolveIncident({ id })
  const give = page.getByRole('button', { name: new RegExp(`^Credit \\$.* to ${name}$`) })
  await expect(give).toBeVisible()
  await expect(page.getByRole('region', { name: `Evidence for ${name}` })).toContainText('blueberrybarrens.example')
  await give.click()
  const dialog = page.getByRole('alertdialog', { name: /^Credit \$/ })
  await dialog.getByRole('button', { name: /^Credit \$/ }).dblclick()
  await expect(page.getByText(/^Credited \$.* to /).first()).toBeVisible()
  await expect(page.getByText('Given', { exact: true })).toBeVisible()
  const changes = (await sandbox.dump('customer_balance_transaction')).filter((one) => one['customer'] === customer)
  expect(changes).toMatchObject([{ description: `SLA credit for incident ${number}`, metadata: { incident: id } }])
  expect(Number(changes[0]?.['amount'])).toBeLessThan(0)
  expect(await auditActions('customer', customer)).toContain('customer.give_sla_credit')
})
