import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { consoleUrl, expect, signIn, test } from './support/test.ts'

const asCaller = (key: string, path: string) =>
  fetch(`${consoleUrl()}/api${path}`, { headers: { 'x-admin-key': key } }).then(({ status }) => status)

async function generate(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Generate API Key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('checkbox', { name: /customers\.read/ }).check()
  await dialog.getByRole('button', { name: 'Generate key' }).click()
  const answer = page.getByRole('dialog', { name: `API key ${name}` })
  const key = (await answer.getByRole('code').textContent()) ?? ''
  await answer.getByRole('button', { name: 'I have stored the key' }).click()
  await expect(answer).toBeHidden()
  return key
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('a key that is generated calls what it may, is rotated with an overlap, and revoked', async ({ page }) => {
  await signIn(page, '/admin/api-keys')
  const key = await generate(page, 'Nightly export')
  expect(await asCaller(key, '/stripe/customers?limit=1')).toBe(200)
  expect(await asCaller(key, '/stripe/payments?limit=1')).toBe(403)
  const row = page.getByRole('row', { name: /Nightly export/ })
  await expect(row).toContainText('View customers')
  await expect(row).toContainText('Active')
  await expect(row).not.toContainText(key)

  await choose(page, 'Nightly export', 'Rotate')
  const dialog = page.getByRole('alertdialog', { name: 'Rotate Nightly export' })
  await dialog.getByRole('radio', { name: '1 hour' }).check()
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  const answer = page.getByRole('dialog', { name: 'New key for Nightly export' })
  const rolled = (await answer.getByRole('code').textContent()) ?? ''
  await answer.getByRole('button', { name: 'I have stored the key' }).click()
  expect(rolled).not.toBe(key)
  expect(await asCaller(key, '/stripe/customers?limit=1')).toBe(200)
  expect(await asCaller(rolled, '/stripe/customers?limit=1')).toBe(200)

  await choose(page, 'Nightly export', 'Revoke')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await expect(row).toContainText('Revoked')
  expect(await asCaller(key, '/stripe/customers?limit=1')).toBe(401)
  expect(await asCaller(rolled, '/stripe/customers?limit=1')).toBe(401)
})

test('the dialogs pass axe and can be used without a pointer', { tag: '@long' }, async ({ page }) => {
  await signIn(page, '/admin/api-keys')
  await page.getByRole('button', { name: 'Generate API Key' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'API key By keyboard' })).toBeVisible()
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
})
