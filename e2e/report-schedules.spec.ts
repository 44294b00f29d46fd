import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { type MailCatcher, startMailCatcher } from './support/mail-catcher.ts'
import { api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

const change = (changes: Record<string, string | null>) =>
  api('/admin/settings', { method: 'PATCH', body: JSON.stringify({ changes }) })

/** What stands in a mail, soft line ends taken out. */
const textOf = (raw: string): string => raw.replaceAll(/=\n/g, '')

test('a customer gets their own report in the name and color of the agency', async ({ page }) => {
  const mails: MailCatcher = await startMailCatcher()
  try {
    const id = String((await sandbox.scenario('customer_created'))['customer'])
    await sandbox.scenario('subscription_started', { customer: id, price: 'starter.month.usd' })
    type Found = { customer?: { name: string; email: string } }
    let found: Found['customer']
    await expect(async () => {
      found = (await api<Found>(`/stripe/customers/${id}`)).customer
      expect(found).toBeTruthy()
    }).toPass()
    await signIn(page, `/admin/customers?open=${id}&tab=reports`)
    const section = page.getByRole('region', { name: 'Website report by email' })
    await expect(section.getByText(/^No mail server, so nothing is sent/)).toBeVisible()
    await change({
      ...{ 'mail.smtp_url': mails.url, 'mail.from': 'Agency <console@example.com>' },
      ...{ 'company.name': 'Seaside Web', 'company.color': '#ffeb3b', 'mail.public_url': consoleUrl() },
    })
    await section.getByRole('button', { name: 'Add schedule' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add schedule' })
    await dialog.getByLabel('Day', { exact: true }).selectOption('Last day of the month')
    await dialog.getByLabel('Time zone').selectOption('Europe/Berlin')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    const preview = page.getByRole('dialog', { name: 'Preview' })
    const email = preview.getByRole('region', { name: 'Email' })
    await expect(email).toContainText('Seaside Web')
    await expect(email).toContainText(`Hello ${found?.name},`)
    // The band of the agency, with text that can be read on it.
    await expect(email.getByText('Seaside Web', { exact: true }).first()).toHaveCSS(
      'background-color',
      'rgb(255, 235, 59)',
    )
    expect((await axe(page).analyze()).violations).toEqual([])
    await preview.getByRole('button', { name: 'Close' }).click()
    await dialog.getByRole('button', { name: 'Add schedule' }).click()
    await expect(page.getByText(`Added schedule: Monthly website report for ${found?.name}`)).toBeVisible()
    await expect(section.getByText(/^Last day of the month, 8 AM, Europe\/Berlin/)).toBeVisible()
    await section.getByRole('button', { name: /^Actions for: Last day/ }).click()
    await page.getByRole('menuitem', { name: 'Send now' }).click()
    await section.getByRole('button', { name: 'History' }).click()
    await expect(section.getByText('Sent', { exact: true })).toBeVisible()
    // With a mail server other mails of the console go out too.
    const received = mails.received.filter(({ to }) => to === found?.email)
    expect(received).toHaveLength(1)
    expect(textOf(received[0]?.raw ?? '')).toContain('Seaside Web sends you this report every month.')
    expect((await axe(page).analyze()).violations).toEqual([])
    await stopAndStartAgain(page, received[0]?.raw ?? '', String(found?.name))
  } finally {
    await change({ 'mail.smtp_url': null, 'mail.from': null, 'company.name': null, 'company.color': null })
    await change({ 'mail.public_url': null })
    await mails.stop()
  }
})

/** By the link of the mail, without a session; the console follows. */
async function stopAndStartAgain(page: Page, raw: string, name: string): Promise<void> {
  const link = /^List-Unsubscribe:\s*<([^>]+)>/m.exec(raw)?.[1] ?? ''
  const section = page.getByRole('region', { name: 'Website report by email' })
  const browser = page.context().browser()
  const reader = await (await browser!.newContext()).newPage()
  try {
    await reader.goto(link)
    await expect(reader.getByRole('heading', { name: `Monthly website report for ${name}` })).toBeVisible()
    await expect(reader.getByText('Seaside Web', { exact: true })).toBeVisible()
    expect((await axe(reader).analyze()).violations).toEqual([])
    await reader.getByRole('button', { name: 'Stop these reports' }).click()
    await expect(reader.getByRole('heading', { name: 'Unsubscribed' })).toBeVisible()
    expect((await axe(reader).analyze()).violations).toEqual([])
    await expect(section.getByText(/ unsubscribed .*Only the link in their emails undoes this\.$/)).toBeVisible()
    await reader.getByRole('button', { name: 'Send them again' }).click()
    await expect(reader.getByRole('heading', { name: 'Subscribed again' })).toBeVisible()
    await expect(section.getByText(/ unsubscribed /)).toHaveCount(0)
  } finally {
    await reader.context().close()
  }
}

test('a weekly report is planned, paused and deleted under Reports', async ({ page }) => {
  await signIn(page, '/admin/reports?tab=exports')
  await page.getByRole('link', { name: 'Schedules' }).click()
  await page.getByRole('button', { name: 'Add schedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add schedule' })
  await expect(dialog.getByLabel('Report')).toBeVisible()
  await dialog.getByRole('button', { name: 'Add schedule' }).click()
  await expect(dialog.getByText('Choose receivers')).toBeVisible()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('dialog', { name: 'Preview' })
  await expect(preview.getByRole('region', { name: 'Email' })).toContainText('Total revenue')
  expect((await axe(page).analyze()).violations).toEqual([])
  await preview.getByRole('button', { name: 'Close' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expectToFit(page, [1440, 900, 390], 'schedules')
})
