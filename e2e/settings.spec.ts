import { axe } from './support/axe.ts'
import { api, expect, signIn, test } from './support/test.ts'

test('a setting is changed, listed before it is saved, survives a reload, and is reverted', async ({ page }) => {
  await signIn(page, '/admin/config')
  const field = page.getByRole('textbox', { name: 'Company name' })
  const before = await field.inputValue()
  await field.fill('Bluebell Agency')
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await bar.getByText('1 change').click()
  await expect(bar).toContainText('Bluebell Agency')
  await bar.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved 1 setting')).toBeVisible()
  await expect(bar).toBeHidden()
  await page.reload()
  await expect(field).toHaveValue('Bluebell Agency')
  await expect(page.getByText(/^Saved by Admin key/).first()).toBeVisible()

  await field.fill('Second name')
  await bar.getByRole('button', { name: 'Save' }).click()
  await expect(bar).toBeHidden()
  await page.getByRole('button', { name: 'History of Company name' }).click()
  const history = page.getByRole('dialog', { name: 'History of Company name' })
  await history
    .getByRole('button', { name: /^Revert to version/ })
    .first()
    .click()
  await expect(page.getByText(/Reverted Company name to version/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('Bluebell Agency')
  await page.getByRole('button', { name: 'Use default of Company name' }).click()
  await bar.getByRole('button', { name: 'Save' }).click()
  // The field shows the default before it is saved.
  await expect(bar).toBeHidden()
  await expect(field).toHaveValue(before)
})

test('two people who change the same setting hear of each other', async ({ page }) => {
  await signIn(page, '/admin/config')
  const field = page.getByRole('textbox', { name: 'Company name' })
  await field.fill('Mine')
  await api('/admin/settings', { method: 'PATCH', body: JSON.stringify({ changes: { 'company.name': 'Theirs' } }) })
  await expect(page.getByText(/changed this .*while you were editing/)).toBeVisible()
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await expect(field).toHaveValue('Theirs')
  await api('/admin/settings', { method: 'PATCH', body: JSON.stringify({ changes: { 'company.name': null } }) })
})

test('a mail server that is not there is told as unreachable, and nothing is saved', async ({ page }) => {
  await signIn(page, '/admin/config')
  const mail = page.getByRole('region', { name: 'Mail' })
  await mail.getByRole('button', { name: 'Set Mail server' }).click()
  await mail.getByLabel('Mail server', { exact: true }).fill('smtp://127.0.0.1:9')
  await mail.getByLabel('Sender', { exact: true }).fill('Agency Console <console@example.com>')
  await mail.getByRole('button', { name: 'Test unsaved values' }).click()
  await expect(mail.getByText(/^Unreachable: /)).toBeVisible()
  await page.reload()
  await expect(mail.getByText('Not set')).toBeVisible()
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
})

test('the outbox has a place of its own', async ({ page }) => {
  await signIn(page, '/admin/config')
  await page.getByRole('link', { name: 'Outbox' }).click()
  await expect(page).toHaveURL(/tab=outbox/)
  await expect(page.getByRole('table', { name: 'Outbox' })).toBeVisible()
})
