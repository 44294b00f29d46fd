import { axe } from './support/axe.ts'
import { consoleUrl, expect, openSession, test } from './support/test.ts'

test('reads the reports of a range, down to the rows behind a bar', async ({ page }) => {
  await openSession(page)
  await page.goto(`${consoleUrl()}/admin/reports`)
  await expect(page.getByRole('heading', { level: 1, name: 'Reports & Analytics' })).toBeVisible()
  await expect(page.getByRole('article').filter({ hasText: 'Total Revenue' })).toContainText('$')
  await page.getByRole('combobox', { name: 'Date range' }).selectOption('Last year')
  await expect(page).toHaveURL(/range=last_year/)
  const bridge = page.getByRole('list', { name: /^MRR bridge/ }).first()
  await bridge.getByRole('link', { name: /^New: / }).click()
  const dialog = page.getByRole('dialog', { name: 'New MRR' })
  await expect(dialog.getByRole('table')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('dialog', { name: 'New MRR' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Performance', exact: true }).last().click()
  await expect(page.getByRole('table', { name: 'Performance by day' })).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/reports\/performance\?range=last_year/)
})

test('shows usage and profit, and a chart as a table by keyboard alone', async ({ page }) => {
  await openSession(page)
  await page.goto(`${consoleUrl()}/admin/reports/usage`)
  const panel = page.getByRole('region', { name: 'Requests', exact: true })
  await panel.getByRole('button', { name: 'Show as table' }).focus()
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('columnheader', { name: 'Day (UTC)' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Usage and profit by site' })).toBeVisible()
})

test('says what the health score is made of, and what would raise it most', async ({ page }) => {
  await openSession(page)
  await page.goto(`${consoleUrl()}/admin/analytics`)
  await expect(page.getByRole('article').filter({ hasText: 'Total Sites' })).toContainText(/\d/)
  await page.getByRole('link', { name: 'How it is made' }).click()
  const dialog = page.getByRole('dialog', { name: 'Platform Health Score' })
  await expect(dialog.getByRole('row', { name: /Uptime/ })).toBeVisible()
  expect((await axe(page).include('[role=dialog]').analyze()).violations).toEqual([])
})
