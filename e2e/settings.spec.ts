import { AxeBuilder } from '@axe-core/playwright'
import { api, expect, signIn, test } from './support/test.ts'

type Settings = { settings: { key: string; value: unknown; version: number }[] }
const savedValue = async (key: string) =>
  (await api<Settings>('/admin/settings')).settings.find((setting) => setting.key === key)?.value

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
  await expect(page.getByText(/Company name is back to version/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('Bluebell Agency')
  await page.getByRole('button', { name: 'Use the default of Company name' }).click()
  await bar.getByRole('button', { name: 'Save' }).click()
  await expect(field).toHaveValue(before)
})

test('a value that is out of bounds is refused at its field', async ({ page }) => {
  await signIn(page, '/admin/config')
  const key = 'sessions.idle_minutes'
  const before = await savedValue(key)
  const field = page.getByRole('textbox', { name: /no activity/ })
  await field.fill('500')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Enter a whole number from 5 to 30')).toBeVisible()
  expect(await savedValue(key)).toBe(before)
  await page.getByRole('button', { name: 'Discard' }).click()
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
  await mail.getByLabel('Mail server').fill('smtp://127.0.0.1:9')
  await mail.getByLabel('Sender').fill('Agency Console <console@example.com>')
  await mail.getByRole('button', { name: 'Test unsaved values' }).click()
  await expect(mail.getByText(/^Unreachable: /)).toBeVisible({ timeout: 15_000 })
  await page.reload()
  await expect(mail.getByText('Not set')).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
})

test('the outbox has a place of its own', async ({ page }) => {
  await signIn(page, '/admin/config')
  await page.getByRole('link', { name: 'Outbox' }).click()
  await expect(page).toHaveURL(/tab=outbox/)
  await expect(page.getByRole('table', { name: 'Outbox' })).toBeVisible()
})
