import type { Locator, Page } from '@playwright/test'
import { addDebtor, money, succeededOf } from './support/debtors.ts'
import { startMailCatcher } from './support/mail-catcher.ts'
import { auditDetails, callsFromNow, choose, lose, pressAgain, pressUntil } from './support/outcomes.ts'
import { api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

test.afterEach(() => sandbox.clearFaults())

const dunning = (name: string) => `/admin/payments?tab=dunning&search=${encodeURIComponent(name)}`

test('a charge whose answer was lost is found out at once, and made once', async ({ page }) => {
  const { id, name, invoice } = await addDebtor()
  await signIn(page, dunning(name))
  await choose(page, name, 'Charge now')
  await lose('invoices.pay')
  await page
    .getByRole('alertdialog', { name: 'Charge Invoice' })
    .getByRole('button', { name: `Charge ${money(invoice.amount_remaining)}` })
    .click()
  await expect(page.getByText(`Charged invoice ${invoice.number}`)).toBeVisible()
  expect(await succeededOf(id)).toMatchObject([{ amount: invoice.amount_remaining }])
  expect(await auditDetails('invoice', invoice.id)).toContain(`Charged invoice ${invoice.number} of ${name}`)
})

test('what was marked as paid and its answer lost is found out at once, and charges nobody', async ({ page }) => {
  const { id, name, invoice } = await addDebtor()
  await signIn(page, dunning(name))
  await choose(page, name, 'Mark as paid')
  await lose('invoices.pay')
  await page
    .getByRole('alertdialog', { name: 'Mark Invoice as Paid' })
    .getByRole('button', { name: `Mark ${money(invoice.amount_remaining)} as paid` })
    .click()
  await expect(page.getByText(`Marked invoice ${invoice.number} as paid`)).toBeVisible()
  expect(await succeededOf(id)).toEqual([])
})

test('a card that is declined again is told, and the invoice stays open', async ({ page }) => {
  const { id, name, invoice } = await addDebtor()
  await sandbox.scenario('set_card', { customer: id, decline: 'insufficient_funds' })
  await signIn(page, dunning(name))
  await choose(page, name, 'Charge now')
  const dialog = page.getByRole('alertdialog', { name: 'Charge Invoice' })
  await dialog.getByRole('button', { name: `Charge ${money(invoice.amount_remaining)}` }).click()
  await expect(dialog.getByRole('alert')).toContainText(/insufficient funds/i)
  expect(await succeededOf(id)).toEqual([])
  expect(await auditDetails('invoice', invoice.id)).toContain(`Could not charge invoice ${invoice.number} of ${name}`)
})

async function orderStarter(page: Page, name: string): Promise<Locator> {
  await signIn(page, `/admin/customers?search=${encodeURIComponent(name)}`)
  await choose(page, name, 'New Subscription')
  const form = page.getByRole('dialog', { name: 'New Subscription' })
  await form.getByLabel('Plan and price').selectOption({ label: 'Starter Care: $29.00 / month' })
  await form.getByRole('button', { name: 'Preview' }).click()
  return page.getByRole('alertdialog', { name: 'New Subscription' })
}

async function addCustomer(card: object = {}): Promise<{ id: string; name: string }> {
  const name = `Outcome Guest ${crypto.randomUUID().slice(0, 8)}`
  const { customer: id } = await sandbox.scenario<{ customer: string }>('customer_created', {
    ...{ name, email: 'guest@example.com' },
  })
  await sandbox.scenario('set_card', { customer: id, ...card })
  const path = `/stripe/customers?search=${encodeURIComponent(name)}`
  await expect.poll(async () => (await api<{ customers: unknown[] }>(path)).customers).toHaveLength(1)
  return { id, name }
}

const subscriptionsOf = async (customer: string) =>
  (await sandbox.dump<{ customer: string; status: string }>('subscription')).filter((one) => one.customer === customer)

test('a subscription whose answer was lost is found out by itself, and started once', { tag: '@long' }, async ({
  page,
}) => {
  const { id, name } = await addCustomer()
  const confirm = await orderStarter(page, name)
  await lose('subscriptions.create')
  await confirm.getByRole('button', { name: 'Start and charge $29.00' }).click()
  await expect(page.getByText('The answer was lost. Checking whether')).toBeVisible()
  await expect(page.getByText(`Starter Care started for ${name}.`)).toBeVisible()
  expect(await subscriptionsOf(id)).toMatchObject([{ status: 'active' }])
  expect(await succeededOf(id)).toMatchObject([{ amount: 2900 }])
  await expect.poll(() => auditDetails('customer', id)).toContain(`Subscribed ${name} to Starter Care`)
})

test('a subscription whose first payment is declined is not started, and that is told', async ({ page }) => {
  const { id, name } = await addCustomer({ decline: 'insufficient_funds' })
  const confirm = await orderStarter(page, name)
  await confirm.getByRole('button', { name: 'Start and charge $29.00' }).click()
  await expect(confirm.getByRole('alert')).toContainText(/insufficient funds/i)
  expect((await subscriptionsOf(id)).filter(({ status }) => status === 'active')).toEqual([])
  expect(await succeededOf(id)).toEqual([])
})

test('a coupon and its code whose answers were lost are made once by a second press; a code that is taken is refused', async ({
  page,
}) => {
  const mark = crypto.randomUUID().slice(0, 8).toUpperCase()
  const name = `Autumn ${mark}`
  await signIn(page, '/admin/subscriptions?tab=coupons')
  await page.getByRole('button', { name: 'Create Coupon' }).click()
  const form = page.getByRole('dialog', { name: 'Create Coupon' })
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Percent off').fill('20')
  await lose('coupons.create')
  await pressAgain(form, 'Create Coupon', page.getByText(`Created coupon ${name}: 20% off`))
  expect((await sandbox.dump<{ name: string }>('coupon')).filter((each) => each.name === name)).toHaveLength(1)

  const add = async () => {
    await choose(page, name, 'Add promotion code')
    const adding = page.getByRole('dialog', { name: 'Add Promotion Code' })
    await adding.getByLabel('Code').fill(mark)
    return adding
  }
  const adding = await add()
  await lose('promotionCodes.create')
  await pressAgain(adding, 'Add promotion code', page.getByText(`Added promotion code ${mark} to ${name}`))
  const again = await add()
  await again.getByRole('button', { name: 'Add promotion code' }).click()
  await expect(again.getByText(/already/)).toBeVisible()
  expect((await sandbox.dump<{ code: string }>('promotion_code')).filter(({ code }) => code === mark)).toHaveLength(1)
})

test('a payment link whose answer was lost is made once by a second press', async ({ page }) => {
  const before = (await sandbox.dump('payment_link')).length
  await signIn(page, '/admin/payments?tab=links')
  await page.getByRole('button', { name: 'Create Payment Link' }).click()
  const form = page.getByRole('dialog', { name: 'Create Payment Link' })
  await form.getByRole('combobox', { name: 'Plan and price' }).fill('Professional')
  await form.getByRole('option', { name: 'Professional Care: $79.00 per month' }).click()
  await form.getByRole('button', { name: 'Preview' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'Create Payment Link' })
  await expect(confirm.getByRole('listitem').first()).toBeVisible()
  await lose('paymentLinks.create')
  await pressAgain(confirm, 'Create link', page.getByText('Created payment link for Professional Care'))
  expect((await sandbox.dump('payment_link')).length).toBe(before + 1)
})

const post = <T>(path: string, body: object): Promise<T> => api<T>(path, { method: 'POST', body: JSON.stringify(body) })

/** A coupon of the test's own, with a promotion code. */
async function addCode() {
  const mark = crypto.randomUUID().slice(0, 8).toUpperCase()
  const name = `Winter ${mark}`
  const { coupon } = await post<{ coupon: { id: string } }>('/stripe/coupons', {
    ...{ name, percent_off: 20, duration: 'once' },
  })
  const { code } = await post<{ code: { id: string } }>(`/stripe/coupons/${coupon.id}/promotion-codes`, { code: mark })
  const isOn = async () =>
    (await sandbox.dump<{ id: string; active: boolean }>('promotion_code')).find(({ id }) => id === code.id)?.active
  return { mark, name, coupon, code, isOn }
}

test('a promotion code whose answers were lost is found out by itself, off and then on', { tag: '@long' }, async ({
  page,
}) => {
  const { mark, name, coupon, code, isOn } = await addCode()
  await signIn(page, `/admin/subscriptions?tab=coupons&open=${coupon.id}`)
  const details = page.getByRole('dialog', { name })
  for (const [how, shown] of [
    ['off', 'Off'],
    ['on', 'Active'],
  ] as const) {
    await lose('promotionCodes.update')
    await details.getByRole('button', { name: `Switch ${how} ${mark}` }).dblclick()
    await expect(page.getByText(`Outcome of the switch-${how} of the promotion code ${mark} unknown.`)).toBeVisible()
    await expect(details.getByRole('row', { name: mark }).getByText(shown, { exact: true })).toBeVisible()
    const sentence = `Switched ${how} the promotion code ${mark}`
    await expect.poll(() => auditDetails('promotion_code', code.id)).toContain(sentence)
    expect(await isOn()).toBe(how === 'on')
  }
})

test('a promotion code whose answer was lost shows as it is, and its coupon is deleted once by a second press', async ({
  page,
}) => {
  const { mark, name, coupon, code, isOn } = await addCode()
  await signIn(page, `/admin/subscriptions?tab=coupons&search=${mark}&open=${coupon.id}`)
  const details = page.getByRole('dialog', { name })
  const switchOff = details.getByRole('button', { name: `Switch off ${mark}` })

  await sandbox.fault({ match: 'promotionCodes.update', status: 400, message: 'This code is in use.' })
  await switchOff.click()
  const refused = page
    .getByRole('alert')
    .getByRole('group')
    .filter({ hasText: `Not switched off: ${mark}` })
  await expect(refused).toContainText('This code is in use.')
  expect(await isOn()).toBe(true)
  expect((await auditDetails('promotion_code', code.id))[0]).toBe(`Could not switch off the promotion code ${mark}`)
  await refused.getByRole('button', { name: 'Dismiss' }).click()

  const switches = await callsFromNow('promotionCodes.update')
  await lose('promotionCodes.update')
  await switchOff.dblclick()
  const toast = page.getByRole('alert').getByRole('group')
  await expect(toast).toContainText(`Outcome of the switch-off of the promotion code ${mark} unknown.`)
  await expect(toast).not.toContainText('Not switched off')
  await expect(details.getByRole('row', { name: mark }).getByText('Off', { exact: true })).toBeVisible()
  expect(await isOn()).toBe(false)
  // The SDK's own repetition.
  expect(await switches()).toHaveLength(2)

  await details.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'Delete Coupon' })
  const remove = confirm.getByRole('button', { name: 'Delete coupon' })
  await sandbox.fault({ match: 'coupons.del', status: 400, message: 'This coupon is in use.' })
  await remove.click()
  await expect(confirm.getByText('This coupon is in use.')).toBeVisible()
  expect((await sandbox.dump<{ id: string }>('coupon')).filter(({ id }) => id === coupon.id)).toHaveLength(1)
  expect((await auditDetails('coupon', coupon.id))[0]).toBe(`Could not delete the coupon ${name}`)

  await lose('coupons.del')
  await remove.dblclick()
  await expect(confirm.getByText(`Outcome of the deletion of the coupon ${name} unknown.`)).toBeVisible()
  await expect(page.getByText('No coupons match your filters')).toBeAttached()
  await expect(confirm.getByText('Failed to fetch')).toHaveCount(0)
  await pressUntil(remove, page.getByText(`Deleted coupon ${name}`))
  await expect(page.getByText('No coupons match your filters')).toBeVisible()
  expect((await sandbox.dump<{ id: string }>('coupon')).filter(({ id }) => id === coupon.id)).toEqual([])
  const told = await auditDetails('coupon', coupon.id)
  expect(told.filter((sentence) => sentence === `Deleted the coupon ${name}`)).toHaveLength(1)
})

test('a payment link whose answers were lost is switched off and on once by a second press, and a refusal is told', async ({
  page,
}) => {
  const { prices } = await api<{ prices: { id: string }[] }>('/stripe/payment-link-prices?search=Starter')
  const { payment_link: link } = await post<{ payment_link: { id: string; name: string } }>('/stripe/payment-links', {
    price: prices[0]?.id,
  })
  const isOn = async () =>
    (await sandbox.dump<{ id: string; active: boolean }>('payment_link')).find(({ id }) => id === link.id)?.active
  await signIn(page, `/admin/payments?tab=links&search=${link.id}`)
  const row = page.getByRole('row', { name: new RegExp(link.name) })

  await choose(page, link.name, 'Switch off')
  const off = page.getByRole('alertdialog', { name: 'Switch Off Payment Link' })
  await sandbox.fault({ match: 'paymentLinks.update', status: 400, message: 'This link is in use.' })
  await off.getByRole('button', { name: 'Switch off' }).click()
  await expect(off.getByText('This link is in use.')).toBeVisible()
  expect(await isOn()).toBe(true)
  const told = () => auditDetails('payment_link', link.id)
  expect((await told())[0]).toBe(`Could not switch off the payment link for ${link.name}`)

  for (const [how, shown, dialog] of [
    ['off', 'Off', off],
    ['on', 'Active', page.getByRole('alertdialog', { name: 'Switch On Payment Link' })],
  ] as const) {
    if (how === 'on') await choose(page, link.name, 'Switch on')
    await lose('paymentLinks.update')
    const button = dialog.getByRole('button', { name: `Switch ${how}` })
    await button.dblclick()
    await expect(
      dialog.getByText(`Outcome of the switch-${how} of the payment link for ${link.name} unknown.`),
    ).toBeVisible()
    await pressUntil(button, page.getByText(`Switched ${how} the payment link for ${link.name}`))
    await expect(row.getByText(shown, { exact: true })).toBeVisible()
    expect(await isOn()).toBe(how === 'on')
    const sentence = `Switched ${how} the payment link for ${link.name}`
    expect((await told()).filter((each) => each === sentence)).toHaveLength(1)
  }
})

test('a payment link whose mail the mail server refuses waits in the outbox, and is sent once from there', async ({
  page,
}) => {
  const { name, invoice } = await addDebtor()
  const mails = await startMailCatcher()
  const change = (changes: object) => api('/admin/settings', { method: 'PATCH', body: JSON.stringify({ changes }) })
  try {
    await change({ 'mail.smtp_url': mails.url, 'mail.from': 'Agency <console@example.com>' })
    mails.refuse('550 No such mailbox')
    await signIn(page, dunning(name))
    await choose(page, name, 'Email payment link')
    const email = page.getByRole('alertdialog', { name: 'Email Payment Link' })
    await email.getByRole('button', { name: 'Send email' }).dblclick()
    await expect(page.getByText(/^Emailed the payment link/)).toBeVisible()
    await page.goto(`${consoleUrl()}/admin/config?tab=outbox`)
    const row = page.getByRole('row', { name: new RegExp(invoice.number) })
    await expect(row.getByText('Failed', { exact: true })).toBeVisible()
    await expect(row).toContainText('No such mailbox')
    expect(mails.received).toEqual([])
    mails.refuse(null)
    await choose(page, invoice.number, 'Send again')
    await expect(row.getByText('Sent', { exact: true })).toBeVisible()
    expect(mails.received.map(({ raw }) => raw.includes(invoice.number))).toEqual([true])
    expect(await auditDetails('invoice', invoice.id)).toEqual([
      `Emailed the payment link of invoice ${invoice.number} of ${name} to guest@example.com`,
    ])
  } finally {
    await change({ 'mail.smtp_url': null, 'mail.from': null })
    await mails.stop()
  }
})
