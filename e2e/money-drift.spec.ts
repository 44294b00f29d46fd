import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { unique } from './support/sites.ts'
import { api, consoleUrl, dataRows, expect, signIn, test } from './support/test.ts'

type Drift = { id: string; subject: string; variant: string }

const drifts = async (query: string): Promise<Drift[]> => (await api<{ drift: Drift[] }>(`/money-drift?${query}`)).drift

async function aZone(): Promise<Drift> {
  await api('/cloudflare/domains')
  let zone: Drift | undefined
  await expect
    .poll(async () => {
      zone = (await drifts('class=zone&limit=100')).find(({ subject }) => /^[a-z.-]+$/.test(subject))
      return zone
    })
    .toBeDefined()
  return zone!
}

async function openActions(page: Page, { subject }: Drift): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search site, domain or customer' }).fill(subject)
  await page.keyboard.press('Enter')
  await expect(dataRows(page)).toHaveCount(1)
  await page.getByRole('button', { name: `Actions for ${subject}` }).click()
}

test('a zone without a site gets one from its row, and the row is gone', async ({ page }) => {
  const zone = await aZone()
  await signIn(page, `/admin/monitoring/drift?class=zone&open=${encodeURIComponent(zone.id)}`)
  const details = page.getByRole('dialog', { name: zone.subject })
  await expect(details.getByRole('list', { name: 'Evidence' }).getByRole('listitem')).toHaveCount(2)
  expect((await axe(page).analyze()).violations).toEqual([])
  await details.getByRole('button', { name: 'More repairs' }).click()
  await page.getByRole('menuitem', { name: 'Add a site' }).click()
  const add = page.getByRole('dialog', { name: 'Add Site' })
  await expect(add.getByLabel('Domain', { exact: true })).toHaveValue(zone.subject)
  await add.getByLabel('Site name').fill(`New ${unique()}`)
  await add.getByRole('button', { name: 'Add Site' }).click()
  await expect(page.getByText(/^Added New/)).toBeVisible()
  await expect.poll(() => drifts(`search=${zone.subject}&class=zone`)).toEqual([])
  await page.goto(`${consoleUrl()}/admin/monitoring/drift?search=${zone.subject}&class=zone`)
  await expect(page.getByText('No rows match your filters')).toBeVisible()
})

test('a row is dismissed for a reason, stays away, and is restored', async ({ page }) => {
  const zone = await aZone()
  await signIn(page, '/admin/monitoring/drift')
  await openActions(page, zone)
  await page.getByRole('menuitem', { name: 'Dismiss' }).click()
  const dialog = page.getByRole('dialog', { name: `Dismiss: ${zone.subject}` })
  await dialog.getByRole('button', { name: 'Dismiss row' }).click()
  await expect(dialog.getByText('Enter a reason')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Kept for a launch')
  await dialog.getByRole('button', { name: 'Dismiss row' }).dblclick()
  await expect(page.getByText(/^Dismissed until/)).toBeVisible()
  await expect(page.getByText('No rows match your filters')).toBeVisible()
  await page.getByLabel('Status').selectOption('dismissed')
  await expect(dataRows(page)).toHaveCount(1)
  await page.getByRole('button', { name: `Actions for ${zone.subject}` }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await expect(page.getByText(`Restored: ${zone.subject}`)).toBeVisible()
  expect((await drifts(`search=${zone.subject}`)).length).toBeGreaterThan(0)
  expect((await axe(page).analyze()).violations).toEqual([])
  await expectToFit(page, [1440, 900, 390], 'money drift')
})
