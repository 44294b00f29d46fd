import type { Download, Page } from '@playwright/test'
import { longWork } from './long-work.ts'
import { expect } from './test.ts'

/** Exports what is shown, and answers its file: one that takes longer than a moment is not saved by itself, but lies under Exports. */
export async function exportAs(page: Page, format: string): Promise<Download> {
  const download = page.waitForEvent('download', longWork)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: format }).click()
  const failure = page.getByText('The export failed. No file was saved.')
  const isSaved = await Promise.race([
    download.then(() => true),
    page
      .getByText(/The file will be under Exports/)
      .waitFor()
      .then(() => false),
    failure.waitFor().then(async () => {
      throw new Error((await page.getByRole('alert').filter({ has: failure }).textContent()) ?? undefined)
    }),
  ])
  if (!isSaved) {
    const path = page.url()
    await page.goto(new URL('/admin/reports?tab=exports', path).href)
    const newest = page.getByRole('button', { name: /^(Download|Cancel) / }).first()
    await expect(newest).toHaveAccessibleName(/^Download /, longWork)
    await newest.click()
    await download
    await page.goto(path)
  }
  return download
}
