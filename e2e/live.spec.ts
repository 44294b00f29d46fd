import { api, consoleUrl, dataRows, expect, openSession, sandbox, signIn, test } from './support/test.ts'

test('a payment appears on the open screen without a reload, at once', async ({ page }) => {
  const name = `Live Guest ${crypto.randomUUID().slice(0, 8)}`
  const { customer } = await sandbox.scenario<{ customer: string }>('customer_created', { name })
  await signIn(page, '/admin/payments')
  await expect(dataRows(page).first()).toBeVisible()
  await sandbox.scenario('payment_succeeds', { customer, amount: 4321 })
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('$43.21')
})

test('a failed payment rings the bell and leads to the payment', async ({ page }) => {
  const name = `Bell Guest ${crypto.randomUUID().slice(0, 8)}`
  const { customer } = await sandbox.scenario<{ customer: string }>('customer_created', { name })
  await signIn(page)
  await sandbox.scenario('payment_fails', { customer, amount: 7700 })
  await expect
    .poll(async () => {
      const { notifications } = await api<{ notifications: { body: string | null; title: string }[] }>('/notifications')
      return notifications.some((one) => `${one.title} ${one.body}`.includes('77.00'))
    })
    .toBe(true)
  await page.getByRole('button', { name: /notification/i }).click()
  // The dashboard below may tell of the payment too.
  await page
    .getByRole('dialog', { name: 'Notifications' })
    .getByText(/\$77\.00/)
    .first()
    .click()
  await expect(page).toHaveURL(/\/admin\/payments/)
})

test('hostile names, descriptions and metadata are shown as text', async ({ page }) => {
  const hostile = '<img src=x onerror="document.title=`broken`"><script>document.title="broken"</script>'
  const { customer } = await sandbox.scenario<{ customer: string }>('customer_created', {
    name: hostile,
    metadata: { company: hostile, note: hostile },
  })
  const { payment_intent: payment } = await sandbox.scenario<{ payment_intent: string }>('payment_succeeds', {
    customer,
    amount: 100,
    description: hostile,
  })
  await expect.poll(async () => (await api<{ status?: number }>(`/stripe/payments/${payment}`)).status).toBeUndefined()
  await openSession(page)
  for (const address of [
    '/admin',
    '/admin/customers',
    `/admin/customers?open=${customer}`,
    `/admin/customers?open=${customer}&tab=activity`,
    '/admin/payments',
    `/admin/payments?open=${payment}`,
  ]) {
    await page.goto(`${consoleUrl()}${address}`)
    await expect(page.getByText('<img src=x').first(), address).toBeVisible()
    expect(await page.title(), address).not.toContain('broken')
    expect(await page.locator('img[src="x"]').count(), address).toBe(0)
  }
})
