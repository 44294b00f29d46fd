import { readFile } from 'node:fs/promises'
import { axe } from './support/axe.ts'
import { exportAs } from './support/exports.ts'
import { api, consoleUrl, dataRows, expect, signIn, test } from './support/test.ts'

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

test('the chain is found intact, and the log says who looked', async ({ page }) => {
  await signIn(page, '/admin/audit')
  const chain = page.getByRole('region', { name: 'Chain of entries' })
  await chain.getByRole('button', { name: 'Verify' }).click()
  await expect(chain.getByText('Intact')).toBeVisible({ timeout: 30_000 })
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
