import { readFile } from 'node:fs/promises'
import { axe } from './support/axe.ts'
import { exportAs } from './support/exports.ts'
import { api, consoleUrl, dataRows, expect, sandbox, signIn, test } from './support/test.ts'

type Entry = { id: string; action: string; details: string }
const newest = async (query: string) => (await api<{ entries: Entry[] }>(`/admin/audit?limit=1&${query}`)).entries[0]

/** Leaves an entry of its own: a key that is made and renamed. */
async function renameAKey(from: string, to: string): Promise<void> {
  const made = await api<{ api_key: { id: string } }>('/admin/api-keys', {
    method: 'POST',
    body: JSON.stringify({ name: from, permissions: ['sites.read'] }),
  })
  await api(`/admin/api-keys/${made.api_key.id}`, { method: 'PATCH', body: JSON.stringify({ name: to }) })
}

test('a change is found by its filters, shows what it changed, and keeps its address', async ({ page }) => {
  await renameAKey('Before the change', 'After the change')
  await signIn(page, '/admin/audit?resource=api_key')
  await expect(page.getByRole('button', { name: 'Remove filter Resource: api_key' })).toBeVisible()
  const log = page.getByRole('table', { name: 'Audit log' })
  await log.getByRole('row').nth(1).getByRole('link').first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('region', { name: 'Changes' })).toContainText('Before the change')
  await expect(dialog.getByRole('region', { name: 'Changes' })).toContainText('After the change')
  await expect(dialog.getByRole('region', { name: 'Place in the chain' })).toContainText('#')
  await page.reload()
  await expect(dialog.getByRole('region', { name: 'Changes' })).toContainText('After the change')
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
  await dialog.getByRole('button', { name: 'Older' }).click()
  await expect(dialog.getByRole('region', { name: 'Changes' })).not.toContainText('After the change')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('a refund is one line with a name, and shows its states inside; a phone keeps the sentence', async ({ page }) => {
  const name = `Refund Guest ${crypto.randomUUID().slice(0, 8)}`
  const { customer } = await sandbox.scenario<{ customer: string }>('customer_created', { name })
  const made = await sandbox.scenario<{ payment_intent: string }>('payment_succeeds', { customer, amount: 8000 })
  const path = `/stripe/payments/${made.payment_intent}`
  await expect.poll(async () => (await api<{ payment?: object }>(path)).payment !== undefined).toBe(true)
  await api(`${path}/refund`, {
    method: 'POST',
    headers: { 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ amount: 7450 }),
  })
  const sentence = `Refunded $74.50 to ${name}`
  await signIn(page, '/admin/audit')
  await page.getByRole('searchbox', { name: 'Search customer, site, person or ID' }).fill(name)
  await expect(dataRows(page)).toHaveCount(1)
  await expect(dataRows(page).first()).toContainText(sentence)
  await expect(dataRows(page).first()).toContainText('payment.refund')
  await dataRows(page).first().getByRole('link').first().click()
  const dialog = page.getByRole('dialog', { name: sentence })
  const steps = dialog.getByRole('list', { name: 'Steps' })
  await expect(steps.getByRole('listitem')).toHaveCount(2)
  await steps.getByRole('link', { name: sentence }).click()
  await expect(steps.getByRole('link', { name: sentence })).toHaveAttribute('aria-current', 'step')
  expect((await axe(page).analyze()).violations).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await page.setViewportSize({ width: 390, height: 844 })
  const card = page.getByRole('listitem').filter({ hasText: sentence })
  await expect(card).toBeVisible()
  await expect(card).not.toContainText('payment.refund')
})

test('the chain is found intact, and the log says who looked', async ({ page }) => {
  await signIn(page, '/admin/audit')
  const chain = page.getByRole('region', { name: 'Tamper check' })
  await chain.getByRole('button', { name: 'Verify' }).click()
  await expect(chain.getByText('Intact')).toBeVisible()
  await expect(chain).toContainText('by Admin key')
})

test('exports what the filters leave, in any format', async ({ page }) => {
  await renameAKey('Exported before', 'Exported after')
  await signIn(page, '/admin/audit?resource=api_key')
  await expect(dataRows(page).first()).toBeVisible()
  for (const [entry, expected] of [
    ['CSV', 'api_key'],
    ['JSON lines', 'Exported before'],
  ] as const) {
    const text = await readFile(await (await exportAs(page, entry)).path(), 'utf8')
    expect(text).toContain(expected)
    expect(text.trim().split('\n').length).toBeGreaterThanOrEqual(2)
    await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeEnabled()
  }
  await expect.poll(async () => (await newest('action=export.download'))?.action).toBe('export.download')
})

test('says that nothing matches, and lets one take the filters away', async ({ page }) => {
  await signIn(page, '/admin/audit?address=192.0.2.250')
  await expect(page.getByText('No entries match your filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(`${consoleUrl()}/admin/audit`)
  await expect(dataRows(page).first()).toBeVisible()
})
