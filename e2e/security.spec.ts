import { axe } from './support/axe.ts'
import { consoleUrl, expect, signIn, signInByForm, test } from './support/test.ts'

test('runs the checks, and each finding that can be mended leads somewhere', async ({ page }) => {
  await signIn(page, '/admin/security')
  const checks = page.getByRole('region', { name: 'Security checks' })
  await checks.getByRole('button', { name: 'Run checks' }).click()
  await expect(checks.getByText(/of 100/)).toBeVisible()
  await expect(checks.getByText(/checks? passed/)).toBeVisible()
  await checks.getByText(/checks? passed/).click()
  for (const link of await checks.getByRole('link').all()) {
    expect(await link.getAttribute('href')).toMatch(/^\/admin\//)
  }
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
})

test('another session of the same key is listed, and ends at once when it is revoked', async ({ page, browser }) => {
  const elsewhere = await browser.newContext({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X)' })
  const other = await elsewhere.newPage()
  await signInByForm(other, '/admin/customers')
  await signIn(page, '/admin/security?tab=sessions')
  const sessions = page.getByRole('table', { name: 'Sessions' })
  await expect(sessions.getByText('This session')).toHaveCount(1)
  const row = sessions.getByRole('row', { name: /iPhone/ }).first()
  await row.getByRole('button', { name: /Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke session' }).click()
  await expect(page.getByText(/Ended the session of /)).toBeVisible()
  await other.goto(`${consoleUrl()}/admin/payments`)
  await expect(other.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
  await elsewhere.close()
})

test('signs out all others after saying how many', async ({ page, browser }) => {
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await signIn(other, '/admin')
  await signIn(page, '/admin/security?tab=sessions')
  await page.getByRole('button', { name: 'Sign out all others' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Sign out all others' })
  await dialog.getByRole('button', { name: /^Sign out \d+ sessions?$/ }).click()
  await expect(page.getByText(/sessions? ended/)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Sessions' }).getByRole('row')).toHaveCount(2)
  await elsewhere.close()
})

test('a wrong sign-in is listed among the attempts', async ({ page }) => {
  await page.goto(`${consoleUrl()}/admin`)
  await page.getByLabel('Admin Key').fill('certainly-not-the-right-key')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await signIn(page, '/admin/security?tab=attempts&outcome=failed')
  const attempts = page.getByRole('table', { name: 'Sign-in attempts' })
  await expect(attempts.getByText('Failed').first()).toBeVisible()
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
})
