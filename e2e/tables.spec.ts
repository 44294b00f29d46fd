import type { Locator, Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { api, consoleUrl, expect, openSession, sandbox, signIn, test } from './support/test.ts'

const tables: [address: string, columns: string[]][] = [
  [
    '/admin/customers',
    ['Customer', 'Company', 'Account Type', 'Status', 'Due', 'Sites', 'Revenue', 'Created', 'Last Payment', 'Actions'],
  ],
  ['/admin/sites', ['Site', 'Customer', 'Status', 'Health', 'SSL', 'Performance', 'Storage', 'Last Deploy', 'Actions']],
  ['/admin/domains', ['Domain', 'Status', 'Plan', 'Type', 'Created', 'Modified', 'Actions']],
  ['/admin/deployments', ['Site', 'Customer', 'Status', 'Version', 'Started', 'Duration', 'Requested by']],
  [
    '/admin/subscriptions',
    ['Customer', 'Plan', 'Status', 'Amount', 'Next billing', 'Revenue', 'Failed payments', 'Created', 'Actions'],
  ],
  ['/admin/payments', ['Customer', 'Amount', 'Status', 'Method', 'Description', 'Date', 'Actions']],
  ['/admin/purchases', ['Site', 'Status', 'Production site', 'Amount', 'Time']],
  ['/admin/users', ['User', 'Role', 'Status', 'Two-Step Verification', 'Last Login', 'Logins', 'Created']],
  ['/admin/audit', ['What happened', 'Who', 'Time', 'Outcome', 'Action', 'Address']],
  ['/admin/api-keys', ['Name', 'Key prefix', 'Permissions', 'Last used', 'Expires', 'Status']],
]
const widths = [600, 900, 1280, 1366]

const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** Whether the middle of an element can be seen and pressed, with nothing over it. */
const isOnTop = (element: Locator) =>
  element.evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect()
    const there = document.elementFromPoint(left + width / 2, top + height / 2)
    return there !== null && node.contains(there)
  })

async function open(page: Page, address: string): Promise<Locator> {
  await page.goto(`${consoleUrl()}${address}`)
  const table = page.getByRole('table').first()
  await expect(table).toBeVisible()
  await expect(page.locator('[aria-busy="true"]'), address).toHaveCount(0)
  return table
}

/** A column in which nobody has anything is left out. */
test.beforeAll(async () => {
  const { checkout_session: id } = await sandbox.scenario<{ checkout_session: string }>('checkout_completed', {
    metadata: { production_url: 'https://harbour.example/' },
  })
  await expect
    .poll(async () =>
      (await api<{ purchases: { id: string }[] }>('/v1/admin/purchases')).purchases.map((one) => one.id),
    )
    .toContain(id)
})

for (const [address, columns] of tables) {
  test(`${address}: every column can be reached at ${widths.join(', ')} px, beside the name`, { tag: '@long' }, async ({
    page,
  }) => {
    await openSession(page)
    const table = await open(page, address)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      for (const column of columns) {
        const what = `${column} at ${width} px`
        const header = table.getByRole('columnheader', { name: column, exact: true })
        await expect(async () => {
          await header.evaluate((node) => node.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
          expect(await isOnTop(header), what).toBe(true)
          expect(await isOnTop(table.getByRole('columnheader', { name: columns[0]! }).first()), what).toBe(true)
        }).toPass()
      }
      expect(await overflowOf(page), `${width} px`).toBeLessThanOrEqual(0)
    }
  })
}

test('a table that is too wide is scrolled by keyboard, and passes axe', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 900 })
  await openSession(page)
  const table = await open(page, '/admin/customers')
  const box = page.getByRole('group', { name: 'Customers, wider than the screen' })
  await box.focus()
  const position = () => box.evaluate(({ scrollLeft }) => scrollLeft)
  expect(await position()).toBe(0)
  await expect(async () => {
    await page.keyboard.press('ArrowRight')
    expect(await position()).toBeGreaterThan(0)
  }).toPass()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await axe(page).analyze()
    expect(violations.map(({ id, nodes }) => `${colorScheme}: ${id} ${nodes[0]?.html}`)).toEqual([])
  }
  await expect(table.getByRole('row').nth(1)).toBeVisible()
})

test('on a phone the facts that a card leaves out are one press away', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, '/admin/customers')
  const cards = page.getByRole('list', { name: 'Customers' }).getByRole('listitem')
  await cards.first().getByRole('link').first().click()
  const details = page.getByRole('dialog')
  for (const fact of ['Company', 'Member Since', 'Total Revenue'])
    await expect(details.getByText(fact, { exact: true })).toBeVisible()
})
