import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { openIncident, resolveIncident } from './support/monitoring.ts'
import { unique } from './support/sites.ts'
import { expect, signIn, test } from './support/test.ts'

test('an incident needs somebody on the dashboard, leads to its screen, and is gone once it is over', async ({
  page,
}) => {
  const title = `Slow checkout ${unique()}`
  const incident = await openIncident(title, 'sev2')
  await signIn(page)
  const needs = page.getByRole('region', { name: 'Needs you now' })
  const row = needs.getByRole('listitem').filter({ hasText: title })
  // Others may come to need somebody while it is shown, and it then stands below the first few.
  const all = needs.getByRole('button', { name: /^Show all/ })
  const showRow = async () => {
    await expect(row.or(all).first()).toBeVisible()
    if (await all.isVisible()) await all.click()
    await expect(row).toBeVisible()
  }
  await showRow()
  await expect(row).toContainText('SEV2')
  expect((await axe(page).analyze()).violations).toEqual([])
  await expectToFit(page, [1440, 900, 390], 'the dashboard')
  await row.getByRole('link', { name: `Open incident ${title}` }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await page.goBack()
  await showRow()
  await resolveIncident(incident)
  // Without a reload: the news of it is enough.
  await expect(row).toBeHidden()
})
