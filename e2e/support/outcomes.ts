import type { Locator, Page } from '@playwright/test'
import { api, expect, sandbox } from './test.ts'

/** It is done at Stripe, but its answer is lost, and that of the SDK's own repetition too. */
export const lose = (match: string) => sandbox.fault({ match, connection: 'lost', times: 2 })

/** It is done at Cloudflare, but its answer is lost. */
export const loseAtCloudflare = (match: string) => sandbox.fault({ provider: 'cloudflare', match, connection: 'lost' })

/** Chooses from the menu of a row. */
export async function choose(page: Page, row: string, item: string): Promise<void> {
  await page
    .getByRole('row', { name: new RegExp(row) })
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** The dialog says that the answer was lost; another press is the same wish. */
export async function pressAgain(dialog: Locator, name: string, done: Locator): Promise<void> {
  const button = dialog.getByRole('button', { name })
  await button.click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await pressUntil(button, done)
}

/** A press while the console itself still finds out what became of it is answered that it does. */
export async function pressUntil(button: Locator, done: Locator): Promise<void> {
  await expect(async () => {
    if (!(await done.isVisible())) await button.dblclick({ timeout: 2000 })
    await expect(done).toBeVisible({ timeout: 5000 })
  }).toPass()
}

/** The calls at the providers from here on, of one name. */
export async function callsFromNow(name: string): Promise<() => Promise<{ path: string; status: number | null }[]>> {
  const calls = async () => (await sandbox.requests()).filter((request) => request.name === name)
  const before = (await calls()).length
  return async () => (await calls()).slice(before)
}

/** What was done to something, in words, the newest first. */
export async function auditDetails(resource: string, id: string): Promise<string[]> {
  const { entries } = await api<{ entries: { details: string }[] }>(
    `/admin/audit?resource=${resource}&resource_id=${encodeURIComponent(id)}`,
  )
  return entries.map(({ details }) => details)
}
