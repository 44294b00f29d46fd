import { axe } from './support/axe.ts'
import { api, consoleUrl, dataRows, expect, sandbox, signIn, test } from './support/test.ts'

type Listed = { id: string; status: string; unread: boolean; siteName: string; productionUrl: string | null }
type Made = { checkout_session: string; customer: string }

const someSite = (kind: string) => `${kind} ${crypto.randomUUID().slice(0, 8)}`

async function customer(): Promise<string> {
  const name = someSite('Purchase Guest')
  return (await sandbox.scenario<{ customer: string }>('customer_created', { name })).customer
}

async function order(end: 'completed' | 'opened', site_name: string, more: Record<string, string> = {}): Promise<Made> {
  return sandbox.scenario<Made>(`checkout_${end}`, {
    customer: await customer(),
    metadata: { site_name, production_url: 'https://harbour.example/', ...more },
  })
}

const listed = async (id: string) => {
  const { purchases } = await api<{ purchases: Listed[] }>('/v1/admin/purchases')
  return purchases.find((purchase) => purchase.id === id)
}

test('a completed checkout appears on the open screen by itself, unread until it is opened', async ({ page }) => {
  const site = someSite('Live Bakery')
  await signIn(page, '/admin/purchases')
  await expect(dataRows(page).first()).toBeVisible()
  const { checkout_session: id } = await order('completed', site)
  const row = page.getByRole('row', { name: new RegExp(site) })
  await expect(row).toContainText('Unread')
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Recent Purchases' })
  await expect(entry).toHaveAccessibleDescription(/^\d+ unread$/)
  await expect(row).toContainText('Completed')
  await expect(row).toContainText('just now')
  const link = row.getByRole('link', { name: 'harbour.example' })
  await expect(link).toHaveAttribute('href', 'https://harbour.example/')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(page.getByText(/Showing 10 of [\d,]+ recent purchases/)).toBeVisible()

  await row.getByRole('link', { name: new RegExp(site) }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(id)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(row).not.toContainText('Unread')
  await expect.poll(() => listed(id)).toMatchObject({ unread: false, siteName: site })
})

test('marks all read, for the reader alone', async ({ page }) => {
  const site = someSite('Read Studio')
  const { checkout_session: id } = await order('completed', site)
  await expect.poll(async () => (await listed(id))?.unread).toBe(true)
  await signIn(page, '/admin/purchases')
  const row = page.getByRole('row', { name: new RegExp(site) })
  await expect(row).toContainText('Unread')
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await expect(row).not.toContainText('Unread')
  await page.reload()
  await expect(row).toBeVisible()
  await expect(row).not.toContainText('Unread')
})

test('a refund shows as refunded, without a reload', async ({ page }) => {
  const site = someSite('Refund Tours')
  const { checkout_session: id } = await order('completed', site)
  await signIn(page, '/admin/purchases')
  const row = page.getByRole('row', { name: new RegExp(site) })
  await expect(row).toContainText('Completed')
  const session = await sandbox.get<{ payment_intent: string }>(`/v1/checkout/sessions/${id}`)
  await sandbox.scenario('refund_created', { payment_intent: session.payment_intent })
  await expect(row).toContainText('Refunded')
})

test('an abandoned checkout has failed, and is no news', async ({ page }) => {
  const site = someSite('Left Clinic')
  const { checkout_session: id } = await order('opened', site)
  await sandbox.scenario('checkout_expired', { checkout_session: id })
  await signIn(page, '/admin/purchases')
  const row = page.getByRole('row', { name: new RegExp(site) })
  await expect(row).toContainText('Failed')
  await expect(row).not.toContainText('Unread')
})

test('a hostile name and a hostile address are shown safely', async ({ page }) => {
  const site = `<img src=x onerror="document.title='broken'">${someSite('Evil')}`
  const { checkout_session: id } = await order('completed', site, {
    production_url: 'javascript:document.title="broken"',
    note: '<script>document.title="broken"</script>',
  })
  await expect.poll(async () => (await listed(id))?.productionUrl).toBeNull()
  await signIn(page, '/admin/purchases')
  await expect(page.getByText(site).first()).toBeVisible()
  await page.goto(`${consoleUrl()}/admin/purchases?open=${id}`)
  await expect(page.getByRole('dialog')).toContainText('<script>')
  expect(await page.locator('img[src="x"], [href^="javascript"]').count()).toBe(0)
  expect(await page.title()).not.toContain('broken')
})

for (const [width, colorScheme] of [
  [1440, 'light'],
  [900, 'dark'],
  [390, 'light'],
] as const) {
  test(`list and details pass axe at ${width} px, ${colorScheme}`, { tag: '@long' }, async ({ page }) => {
    const { checkout_session: id } = await order('completed', someSite('A very long name of a site '.repeat(5)))
    await expect.poll(async () => (await listed(id))?.id).toBe(id)
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await signIn(page, '/admin/purchases')
    for (const address of ['/admin/purchases', `/admin/purchases?open=${id}`]) {
      await page.goto(`${consoleUrl()}${address}`)
      await expect(page.getByText(/Showing 10 of/)).toBeVisible()
      if (address.includes('open')) await expect(page.getByText('Checkout ID')).toBeVisible()
      expect((await axe(page).analyze()).violations).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    }
  })
}
