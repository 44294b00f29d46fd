import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { alertAfter, alertOf, auditActions, lookUntil, repairSites } from './support/monitoring.ts'
import { unique } from './support/sites.ts'
import { api, consoleUrl, dataRows, expect, signIn, test } from './support/test.ts'

type Rule = { key: string; is_enabled: boolean; threshold: { value: number; default: number } | null; version: number }

test.afterEach(repairSites)

const rowOf = (page: Page, text: string) => dataRows(page).filter({ hasText: text })

async function act(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

async function addPerson(): Promise<string> {
  const mark = unique()
  const body = { name: `Guest ${mark}`, email: `guest-${mark}@example.com`, role_id: 'support' }
  await api('/admin/users', {
    method: 'POST',
    body: JSON.stringify({ ...body, temporary_password: 'harbour candle sixteen otters', send_welcome_email: false }),
  })
  return body.name
}

test('an alert is acknowledged, given to somebody, snoozed and resolved; its timeline and the audit log say so', async ({
  page,
}) => {
  const person = await addPerson()
  const { id, title } = await alertAfter('gmavila', 'failing', 'down')
  await signIn(page, `/admin/alerts?search=${encodeURIComponent(title)}`)
  const row = rowOf(page, title)
  await expect(row.getByText('Open', { exact: true })).toBeVisible()

  await act(page, title, 'Acknowledge')
  await expect(page.getByText(`Acknowledged: ${title}`)).toBeVisible()
  await expect(row.getByText('Acknowledged', { exact: true })).toBeVisible()

  await act(page, title, 'Assign')
  const assign = page.getByRole('dialog', { name: `Assign: ${title}` })
  await assign.getByLabel('Assignee').selectOption({ label: person })
  await assign.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(page.getByText(`Assigned to ${person}: ${title}`)).toBeVisible()
  await expect(row.getByText(person)).toBeVisible()

  await act(page, title, 'Snooze')
  const snooze = page.getByRole('dialog', { name: `Snooze: ${title}` })
  await snooze.getByRole('radio', { name: '4 hours' }).check()
  await snooze.getByRole('button', { name: 'Snooze alert' }).click()
  await expect(page.getByText(/^Snoozed until /)).toBeVisible()
  await expect(row.getByText('Snoozed', { exact: true })).toBeVisible()

  await act(page, title, 'View Details')
  const details = page.getByRole('dialog', { name: title })
  await details.getByRole('button', { name: 'Resolve', exact: true }).click()
  const resolve = page.getByRole('alertdialog', { name: 'Resolve alert' })
  await resolve.getByLabel('Reason (optional)').fill('The host has moved')
  await resolve.getByRole('button', { name: 'Resolve alert' }).click()
  await expect(page.getByText(`Resolved: ${title}`).first()).toBeVisible()

  const events = details.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
  const texts = ['Acknowledged', `Assigned to ${person}`, 'Snoozed until', 'Resolved: The host has moved']
  for (const text of texts) await expect(events.filter({ hasText: text })).toHaveCount(1)
  expect((await alertOf(id)).status).toBe('resolved')
  expect(await auditActions('alert', id)).toEqual([
    'alert.resolve',
    'alert.snooze',
    'alert.assign',
    'alert.acknowledge',
  ])

  // Resolved by hand, it stays so while its cause is still seen.
  await lookUntil('gmavila', 'down')
  expect((await alertOf(id)).status).toBe('resolved')
})

test('several alerts are acknowledged at once, by keyboard', { tag: '@long' }, async ({ page }) => {
  const first = await alertAfter('aegeansails', 'failing', 'down')
  const second = await alertAfter('foghorn-restorers', 'redirect_loop', 'down')
  await signIn(page, '/admin/alerts?status=open&sort=newest')
  for (const { title } of [first, second]) await page.getByRole('checkbox', { name: `Select ${title}` }).press('Space')
  await page.getByRole('button', { name: /^Acknowledge/ }).press('Enter')
  await expect(page.getByText('Acknowledged 2 alerts')).toBeVisible()
  for (const { id, title } of [first, second]) {
    await expect(rowOf(page, title)).toHaveCount(0)
    expect((await alertOf(id)).status).toBe('acknowledged')
  }
})

const ruleOf = async (key: string) =>
  (await api<{ rules: Rule[] }>('/alert-rules')).rules.find((rule) => rule.key === key)!

test('a threshold is tried on the past while it is typed, then saved', async ({ page }) => {
  const key = 'console.response_p95_ms'
  const before = await ruleOf(key)
  await signIn(page, `/admin/alerts?tab=rules&open=${key}`)
  const dialog = page.getByRole('dialog', { name: /^Edit rule: / })
  const trial = dialog.getByRole('status', { name: 'Test on past data' })
  const sentence = /Would (not )?have fired|Not enough measurements yet/
  await expect(trial).toContainText(sentence)
  const threshold = dialog.getByLabel('Threshold (ms)')
  await threshold.fill('5')
  await expect(trial).toHaveText('Enter a threshold to test the rule on past data.')
  await dialog.getByRole('button', { name: 'Save rule' }).click()
  await expect(dialog.getByText('Enter a number from 10 to 60,000 ms')).toBeVisible()
  await threshold.fill('59000')
  await expect(trial).toHaveAttribute('data-late', 'false')
  await expect(trial).toContainText(/Would not have fired in the last \d+ days|Not enough measurements yet/)
  await dialog.getByRole('button', { name: 'Save rule' }).click()
  await expect(page.getByText(/^Saved rule: /)).toBeVisible()
  await expect(rowOf(page, '59,000 ms')).toHaveCount(1)
  const after = await ruleOf(key)
  expect(after.threshold?.value).toBe(59_000)
  expect(await auditActions('alert_rule', key)).toContain('alert_rule.update')
  const { version } = after
  await api(`/alert-rules/${key}`, {
    method: 'PATCH',
    body: JSON.stringify({ version, threshold: before.threshold?.value }),
  })
})

test('a rule that is switched off ends its alert, and on again it opens one', { tag: '@long' }, async ({ page }) => {
  const { id, title } = await alertAfter('portlandcollective', 'expired_certificate', 'degraded')
  await signIn(page, '/admin/alerts?tab=rules')
  const toggle = page.getByRole('switch', { name: 'Certificate invalid enabled' })
  await toggle.press('Space')
  await expect(page.getByText('Switched off: Certificate invalid')).toBeVisible()
  await expect(toggle).not.toBeChecked()
  await expect.poll(async () => (await alertOf(id)).status).toBe('resolved')
  expect((await alertOf(id)).events.at(-1)?.text).toBe('The rule was switched off')
  await toggle.press('Space')
  await expect(page.getByText('Switched on: Certificate invalid')).toBeVisible()
  await expect(toggle).toBeChecked()
  await page.goto(`${consoleUrl()}/admin/alerts?search=${encodeURIComponent(title)}`)
  await expect(rowOf(page, title)).toHaveCount(1)
})

/** In the field's own zone, whichever that is. */
const anHourBefore = (moment: string) => new Date(Date.parse(`${moment}Z`) - 3_600_000).toISOString().slice(0, 16)

test('maintenance is planned for some sites, is told at them, and is ended', async ({ page }) => {
  const title = `Move ${unique()}`
  await signIn(page, '/admin/alerts?tab=maintenance')
  await page.getByRole('button', { name: 'Plan maintenance' }).click()
  const dialog = page.getByRole('dialog', { name: 'Plan maintenance' })
  await dialog.getByRole('button', { name: 'Plan maintenance' }).click()
  await expect(dialog.getByText('Enter a title')).toBeVisible()
  await dialog.getByLabel('Title').fill(title)
  const from = dialog.getByLabel('From', { exact: true })
  await from.fill(anHourBefore(await from.inputValue()))
  await dialog.getByRole('radio', { name: 'Some sites' }).check()
  await dialog.getByRole('combobox', { name: 'Choose sites' }).fill('katahdinclimbing')
  await page.getByRole('option', { name: /katahdinclimbing/ }).click()
  await dialog.getByRole('button', { name: 'Plan maintenance' }).click()
  await expect(page.getByText(`Planned: ${title}`)).toBeVisible()
  const row = rowOf(page, title)
  await expect(row.getByText('Running', { exact: true })).toBeVisible()
  await expect(row.getByText('Katahdin Climbing Gym')).toBeVisible()

  await page.goto(`${consoleUrl()}/admin/monitoring/sites?search=katahdinclimbing`)
  await expect(rowOf(page, 'katahdinclimbing.example').getByText('Maintenance', { exact: true })).toBeVisible()

  await page.goto(`${consoleUrl()}/admin/alerts?tab=maintenance`)
  await act(page, title, 'End now')
  const end = page.getByRole('alertdialog', { name: 'End maintenance' })
  await expect(end.getByText('Affects Katahdin Climbing Gym.')).toBeVisible()
  await end.getByRole('button', { name: 'End maintenance' }).click()
  await expect(page.getByText(`Ended: ${title}`)).toBeVisible()
  await expect(row.getByText('Over', { exact: true })).toBeVisible()
})

test('maintenance that is planned can be taken away before it begins', async ({ page }) => {
  const title = `Move ${unique()}`
  await signIn(page, '/admin/alerts?tab=maintenance')
  await page.getByRole('button', { name: 'Plan maintenance' }).click()
  const dialog = page.getByRole('dialog', { name: 'Plan maintenance' })
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel('To', { exact: true }).fill('2099-01-01T00:00')
  await dialog.getByLabel('From', { exact: true }).fill('2098-12-31T00:00')
  await dialog.getByRole('button', { name: 'Plan maintenance' }).click()
  const row = rowOf(page, title)
  await expect(row.getByText('Planned', { exact: true })).toBeVisible()
  await act(page, title, 'Cancel maintenance')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel maintenance' }).click()
  await expect(page.getByText(`Cancelled: ${title}`)).toBeVisible()
})

test('a name without a space stays inside its dialog on a phone', async ({ page }) => {
  const title = `Move_${unique()}_`.padEnd(120, 'x')
  const [starts_at, ends_at] = ['2098-12-31T00:00:00Z', '2099-01-01T00:00:00Z']
  await api('/maintenance-windows', {
    method: 'POST',
    body: JSON.stringify({ title, starts_at, ends_at, site_ids: [], silences: true, excludes_uptime: true }),
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, '/admin/alerts?tab=maintenance')
  await act(page, title, 'Cancel maintenance')
  const dialog = page.getByRole('alertdialog', { name: 'Cancel maintenance' })
  const said = dialog.getByRole('listitem').filter({ hasText: title })
  expect(await said.evaluate((node) => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0)
  await dialog.getByRole('button', { name: 'Cancel maintenance' }).click()
  await expect(page.getByText(`Cancelled: ${title}`)).toBeVisible()
})

test('a public page fits a phone whatever its title, and where none is says so', async ({ page }) => {
  const title = 'Status'.padEnd(80, 'x')
  const { page: before } = await api<{ page: { version: number } }>('/status-pages/agency')
  const save = (version: number, is_on: boolean) =>
    api<{ page: { version: number } }>('/status-pages/agency', {
      method: 'PUT',
      body: JSON.stringify({ version, is_on, title, slug: null, sites: [] }),
    })
  const { page: saved } = await save(before.version, true)
  await expect(async () => {
    await page.goto(`${consoleUrl()}/status`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible({ timeout: 10_000 })
  }).toPass()
  await expectToFit(page, [390], 'status page')
  await page.goto(`${consoleUrl()}/status/nobody-here`)
  await expect(page.getByRole('heading', { level: 1, name: 'Status page not found' })).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect((await axe(page).analyze()).violations).toEqual([])
  }
  await save(saved.version, false)
})

test('a mail channel is added, tested without a mail server, and deleted', async ({ page }) => {
  const name = `On call ${unique()}`
  await signIn(page, '/admin/alerts?tab=channels')
  await page.getByRole('button', { name: 'Add channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add channel' })
  await dialog.getByLabel('Kind').selectOption({ label: 'Email' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Mail addresses').fill('nobody')
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await expect(dialog.getByText('Enter a mail address')).toBeVisible()
  await dialog.getByLabel('Mail addresses').fill('on-call@example.com')
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await expect(page.getByText(`Added channel: ${name}`)).toBeVisible()
  const row = page.getByRole('table', { name: 'Channels' }).locator('tr[data-row]').filter({ hasText: name })
  // What other tests did to sites may end meanwhile, and is told to the new channel too.
  await expect(row.getByText(/^(Not used yet|Failing)$/)).toBeVisible()

  await act(page, name, 'Send test')
  await expect(page.getByText(`Test not sent: ${name}. No mail server`).first()).toBeVisible()
  await expect(row.getByText('Failing')).toBeVisible()
  const log = page.getByRole('region', { name: 'Delivery log' }).locator('tr[data-row]').filter({ hasText: name })
  const test = log.filter({ hasText: 'Test of this alert channel' })
  await expect(test).toHaveCount(1)
  await expect(test).toContainText('Failed')
  await expect(test).toContainText('No mail server')

  await act(page, name, 'Delete')
  await page
    .getByRole('alertdialog', { name: 'Delete channel' })
    .getByRole('button', { name: 'Delete channel' })
    .click()
  await expect(page.getByText(`Deleted channel: ${name}`)).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect(log).toHaveCount(0)
})

test('the secret of a webhook channel is shown once, and only its host later', async ({ page }) => {
  const name = `Hook ${unique()}`
  await signIn(page, '/admin/alerts?tab=channels')
  await page.getByRole('button', { name: 'Add channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add channel' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Address').fill('https://hooks.example.com/T0/hidden-part')
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await expect(page.getByRole('dialog', { name: `Signing secret of ${name}` })).toContainText('acs_')
  await page.goto(`${consoleUrl()}/admin/alerts?tab=channels`)
  await expect(page.getByText('Webhook · hooks.example.com').first()).toBeVisible()
  await expect(page.getByText('hidden-part')).toHaveCount(0)
  await act(page, name, 'Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete channel' }).click()
  await expect(page.getByText(`Deleted channel: ${name}`)).toBeVisible()
})

test('the dialogs of alerts pass axe and fit a phone', { tag: '@long' }, async ({ page }) => {
  const { id, title } = await alertAfter('ogunquitbeachhouse', 'failing', 'down')
  await signIn(page, '/admin/alerts')
  for (const [path, button, name] of [
    [`/admin/alerts?open=${id}`, null, title],
    ['/admin/alerts?tab=rules&open=site.certificate_expiring', null, 'Edit rule: Certificate expires soon'],
    ['/admin/alerts?tab=maintenance', 'Plan maintenance', 'Plan maintenance'],
    ['/admin/alerts?tab=channels', 'Add channel', 'Add channel'],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${consoleUrl()}${path}`)
    if (button) await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('dialog', { name })).toBeVisible()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    expect((await axe(page).include('[role=dialog]').analyze()).violations, name).toEqual([])
    await expectToFit(page, [320, 390], name)
  }
})
