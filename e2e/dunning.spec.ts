import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { addDebtor, money, succeededOf } from './support/debtors.ts'
import { api, consoleUrl, expect, signIn, test } from './support/test.ts'

const openMenu = (page: Page, row: string) =>
  page
    .getByRole('row', { name: new RegExp(row) })
    .getByRole('button', { name: /^Actions for/ })
    .click()

async function auditActions(id: string): Promise<string[]> {
  const { entries } = await api<{ entries: { action: string }[] }>(`/admin/audit?resource=invoice&resource_id=${id}`)
  return entries.map(({ action }) => action)
}

test('shows why a payment failed, charges once for a double click, and counts what was recovered', async ({ page }) => {
  const debtor = await addDebtor()
  const { amount_remaining: amount, number } = debtor.invoice
  await signIn(page, `/admin/payments?tab=dunning&search=${encodeURIComponent(debtor.name)}`)
  const row = page.getByRole('row', { name: new RegExp(debtor.name) })
  await expect(row.getByText('Insufficient funds')).toBeVisible()
  await expect(row.getByText(/•••• \d{4}, expires /)).toBeVisible()
  await expect(row.getByText(money(amount))).toBeVisible()
  await expect(row.getByRole('link', { name: number })).toHaveAttribute('href', /tab=invoices/)
  await expect(
    page
      .getByRole('article')
      .filter({ hasText: 'Money at Stake' })
      .getByText(/\d invoices?/),
  ).toBeVisible()
  const { violations } = await axe(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)).toEqual([])

  await openMenu(page, debtor.name)
  await page.getByRole('menuitem', { name: 'Charge now' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Charge Invoice' })
  await expect(dialog.getByText(/ ending in \d{4}, expires /)).toBeVisible()
  await dialog.getByRole('button', { name: `Charge ${money(amount)}` }).dblclick()
  await expect(page.getByText(`Charged invoice ${number}`)).toBeVisible()
  await expect(page.getByText('No failed payments match your filters')).toBeVisible()
  expect(await succeededOf(debtor.id)).toMatchObject([{ amount }])
  const recovered = page.getByRole('article').filter({ hasText: 'Recovered This Month' })
  await expect(recovered.getByText(/^[1-9]\d* invoices?$/)).toBeVisible()
})

test('charges the open invoice from the failed payment, and marks one as paid from its subscription', async ({
  page,
}) => {
  const first = await addDebtor()
  await signIn(page, `/admin/payments?status=failed&search=${encodeURIComponent(first.name)}`)
  await openMenu(page, first.name)
  await page.getByRole('menuitem', { name: 'Charge now' }).click()
  const charge = page.getByRole('alertdialog', { name: 'Charge Invoice' })
  await charge.getByRole('button', { name: `Charge ${money(first.invoice.amount_remaining)}` }).click()
  await expect(page.getByText(`Charged invoice ${first.invoice.number}`)).toBeVisible()
  expect(await auditActions(first.invoice.id)).toContain('invoice.pay')

  const second = await addDebtor()
  await page.goto(`${consoleUrl()}/admin/subscriptions?open=${second.invoice.subscription_id}`)
  const details = page.getByRole('dialog')
  await expect(details.getByText(/•••• \d{4}/)).toBeVisible()
  await details.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Mark as paid' }).click()
  const mark = page.getByRole('alertdialog', { name: 'Mark Invoice as Paid' })
  await mark.getByRole('button', { name: `Mark ${money(second.invoice.amount_remaining)} as paid` }).click()
  await expect(page.getByText(`Marked invoice ${second.invoice.number} as paid`)).toBeVisible()
  expect(await succeededOf(second.id)).toEqual([])
})

test("offers the payment link, and shows the customer's cards and payments", async ({ page }) => {
  const debtor = await addDebtor()
  await signIn(page, `/admin/payments?open=${debtor.invoice.payment_id}`)
  const details = page.getByRole('dialog')
  await expect(details.getByText(/•••• \d{4}/)).toBeVisible()
  await details.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Copy payment link' }).click()
  const choice = page.getByRole('dialog', { name: 'Copy Payment Link' })
  await expect(choice.getByRole('radio', { name: new RegExp(debtor.invoice.number) })).toBeChecked()
  await choice.getByRole('button', { name: 'Cancel' }).click()
  await details.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Email payment link' }).click()
  const email = page.getByRole('alertdialog', { name: 'Email Payment Link' })
  await expect(email.getByText('Set "Mail server" under System Config first.')).toBeVisible()
  await email.getByRole('button', { name: 'Cancel' }).click()

  await page.goto(`${consoleUrl()}/admin/customers?open=${debtor.id}&tab=payments`)
  const customer = page.getByRole('dialog')
  await expect(customer.getByRole('listitem').filter({ hasText: '••••' }).getByText('Default')).toBeVisible()
  await expect(customer.getByRole('row').filter({ hasText: 'Failed' })).toHaveCount(1)
  await expect(customer.getByRole('link', { name: 'All payments of this customer' })).toHaveAttribute(
    'href',
    `/admin/payments?customer=${debtor.id}`,
  )
})
