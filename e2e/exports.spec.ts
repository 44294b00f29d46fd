import { readFile } from 'node:fs/promises'
import { axe } from './support/axe.ts'
import { exportAs } from './support/exports.ts'
import { api, consoleUrl, dataRows, expect, signIn, test } from './support/test.ts'

test('payments become a workbook that is saved and stays under Exports', async ({ page }) => {
  await signIn(page, '/admin/payments?status=succeeded')
  await expect(dataRows(page).first()).toBeVisible()
  const file = await exportAs(page, 'Excel (XLSX)')
  expect(file.suggestedFilename()).toMatch(/^payments-\d{4}-\d\d-\d\d\.xlsx$/)
  expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK')

  await page.goto(`${consoleUrl()}/admin/reports?tab=exports`)
  const row = page.getByRole('row', { name: /Payments/ }).first()
  await expect(row.getByText('status: succeeded')).toBeVisible()
  await expect(row.getByText('Ready')).toBeVisible()
  const again = page.waitForEvent('download')
  await row.getByRole('button', { name: /^Download/ }).click()
  expect((await again).suggestedFilename()).toBe(file.suggestedFilename())
  expect((await axe(page).analyze()).violations).toEqual([])
})

test('subscriptions become a PDF', async ({ page }) => {
  await signIn(page, '/admin/subscriptions')
  await expect(dataRows(page).first()).toBeVisible()
  expect((await readFile(await (await exportAs(page, 'PDF')).path())).subarray(0, 5).toString()).toBe('%PDF-')
})

test('a link that was altered leads to a page that says so', async ({ page }) => {
  const { export: ordered } = await api<{ export: { id: string } }>('/exports', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'purchases', format: 'csv', parameters: {} }),
  })
  await expect
    .poll(async () => (await api<{ export: { state: string } }>(`/exports/${ordered.id}`)).export.state)
    .toBe('ready')
  const { url } = await api<{ url: string }>(`/exports/${ordered.id}/link`, { method: 'POST' })
  await page.goto(`${consoleUrl()}${url}x`)
  await expect(page.getByRole('heading', { name: 'No file for this link' })).toBeVisible()
  await expect(page.getByText('This link is not valid. Create a new one under Exports.')).toBeVisible()
})
