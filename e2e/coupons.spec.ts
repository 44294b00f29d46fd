import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { auditDetails } from './support/outcomes.ts'
import { api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

type Coupon = { id: string; name: string; percent_off: number; duration: string; duration_in_months: number }
type Code = { id: string; code: string; active: boolean; promotion: { coupon: string } }

const couponNamed = async (name: string) => (await sandbox.dump<Coupon>('coupon')).find((each) => each.name === name)
const codeOf = async (code: string) => (await sandbox.dump<Code>('promotion_code')).find((each) => each.code === code)

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)).toEqual([])
}

const create = <T>(path: string, body: object): Promise<T> =>
  api<T>(path, { method: 'POST', body: JSON.stringify(body) })

test('creates a coupon by keyboard, adds a code, switches it off and deletes the coupon', async ({ page }) => {
  const mark = crypto.randomUUID().slice(0, 8).toUpperCase()
  const name = `Spring ${mark}`
  await signIn(page, '/admin/subscriptions?tab=coupons')
  await expect(page.getByRole('table', { name: 'Coupons' })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Create Coupon' }).focus()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Create Coupon' })
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Percent off').fill('20')
  await form.getByRole('radio', { name: 'First invoice only' }).focus()
  await page.keyboard.press('ArrowDown')
  await form.getByRole('textbox', { name: 'Months' }).fill('4')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Created coupon ${name}: 20% off for 4 months`)).toBeVisible()
  const made = await couponNamed(name)
  expect(made).toMatchObject({ percent_off: 20, duration: 'repeating', duration_in_months: 4 })

  const row = page.getByRole('row', { name: new RegExp(name) })
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Add promotion code' }).click()
  const adding = page.getByRole('dialog', { name: 'Add Promotion Code' })
  await adding.getByLabel('Code').fill(mark)
  await adding.getByRole('button', { name: 'Add promotion code' }).dblclick()
  await expect(page.getByText(`Added promotion code ${mark} to ${name}`)).toBeVisible()
  expect(await codeOf(mark)).toMatchObject({ active: true, promotion: { coupon: made?.id } })
  await expect(row.getByText('1 active')).toBeVisible()

  await row.getByRole('link', { name: new RegExp(name) }).click()
  const details = page.getByRole('dialog', { name: new RegExp(name) })
  await details.getByRole('button', { name: `Switch off ${mark}` }).click()
  await expect(details.getByRole('button', { name: `Switch on ${mark}` })).toBeEnabled()
  await expectAccessible(page)
  const code = await codeOf(mark)
  expect(code).toMatchObject({ active: false })
  expect(await auditDetails('promotion_code', code?.id ?? '')).toContain(`Switched off the promotion code ${mark}`)
  await details.getByRole('button', { name: `Switch on ${mark}` }).click()
  await expect(details.getByRole('button', { name: `Switch off ${mark}` })).toBeEnabled()

  await details.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'Delete Coupon' })
  await expect(confirm.getByText('No running subscription has this discount.')).toBeVisible()
  await expect(confirm.getByText(`1 promotion code stops working: ${mark}.`)).toBeVisible()
  await confirm.getByRole('button', { name: 'Delete coupon' }).click()
  await expect(page.getByText(`Deleted coupon ${name}`)).toBeVisible()
  await expect(row).toBeHidden()
  expect(await couponNamed(name)).toBeUndefined()
  expect(await auditDetails('coupon', made?.id ?? '')).toContain(`Deleted the coupon ${name}`)
})

test('follows another tab of the console, and fits a phone', async ({ page }) => {
  const name = `Elsewhere ${crypto.randomUUID().slice(0, 8)}`
  await signIn(page, `/admin/subscriptions?tab=coupons&search=${encodeURIComponent(name)}`)
  await expect(page.getByText('No coupons match your filters')).toBeVisible()
  const { coupon } = await create<{ coupon: Coupon }>('/stripe/coupons', { name, percent_off: 10, duration: 'once' })
  await expect(page.getByRole('link', { name: new RegExp(name) })).toBeVisible()
  await create(`/stripe/coupons/${coupon.id}/promotion-codes`, { max_redemptions: 5 })
  await expectToFit(page, [390, 900], 'Coupons')
  await page.goto(`${consoleUrl()}/admin/subscriptions?tab=coupons&open=${coupon.id}`)
  await expect(page.getByRole('dialog', { name: new RegExp(name) }).getByText('0 of 5')).toBeVisible()
  await expectToFit(page, [390], 'An open coupon')
})
