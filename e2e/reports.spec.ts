import { axe } from './support/axe.ts'
import { exportAs } from './support/exports.ts'
import { consoleUrl, expect, openSession, test } from './support/test.ts'

test('reads the reports of a range, down to the rows behind a bar', async ({ page }) => {
  await openSession(page)
  await page.goto(`${consoleUrl()}/admin/reports`)
  await expect(page.getByRole('heading', { level: 1, name: 'Reports & Analytics' })).toBeVisible()
  await expect(page.getByRole('article').filter({ hasText: 'Total Revenue' })).toContainText('$')
  await page.getByRole('combobox', { name: 'Date range' }).selectOption('Last year')
  await expect(page).toHaveURL(/range=last_year/)
  const bridge = page.getByRole('list', { name: /^MRR bridge/ }).first()
  const added = bridge.getByRole('link', { name: /^New: / })
  // The bar of the range before stays until the chosen one is there.
  await expect(added).toHaveAttribute('href', /range=last_year/)
  await added.click()
  const dialog = page.getByRole('dialog', { name: 'New MRR' })
  await expect(dialog.getByRole('table')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('dialog', { name: 'New MRR' })).toBeVisible()
  await page.keyboard.press('Escape')
  const tabs = page.getByRole('navigation', { name: 'Reports & Analytics' })
  await tabs.getByRole('link', { name: 'Performance', exact: true }).click()
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
  await page.getByRole('link', { name: 'How it is calculated' }).click()
  const dialog = page.getByRole('dialog', { name: 'Platform Health Score' })
  await expect(dialog.getByRole('row', { name: /Uptime/ })).toBeVisible()
  expect((await axe(page).include('[role=dialog]').analyze()).violations).toEqual([])
})

test('a custom range is chosen in calendars by keyboard alone, and its revenue saved as a PDF', async ({ page }) => {
  await openSession(page)
  await page.goto(`${consoleUrl()}/admin/reports/revenue`)
  await page.getByLabel('Date range').selectOption('Custom')
  const [year, month, date] = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10).split('-')
  await page.getByLabel('From', { exact: true }).fill(`${month}/${date}/${year}`)
  await expect(page).toHaveURL(new RegExp(`from=${year}-${month}-${date}`))
  await page.getByLabel('To', { exact: true }).press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('grid').getByRole('columnheader').first()).toHaveText('Su')
  const today = page.locator('[role=gridcell][aria-current=date]')
  await expect(today).toBeFocused()
  expect((await axe(page).analyze()).violations).toEqual([])
  await page.keyboard.press('Home')
  const day = (await page.locator('[role=gridcell]:focus').getAttribute('aria-label')) ?? ''
  expect(new Date(day).getDay()).toBe(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('grid')).toHaveCount(0)
  await expect(page).toHaveURL(/to=20\d\d-\d\d-\d\d/)
  expect((await exportAs(page, 'PDF')).suggestedFilename()).toMatch(/^revenue-report-\d{4}-\d\d-\d\d\.pdf$/)
})
