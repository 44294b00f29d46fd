import { axe } from './support/axe.ts'
import { auditActions } from './support/monitoring.ts'
import { api, expect, signIn, test } from './support/test.ts'

test('sites that are selected are deployed in rings, which can be followed and cancelled', async ({ page }) => {
  await signIn(page, '/admin/sites?search=northfield')
  const boxes = page.getByRole('row').filter({ hasText: 'Northfield' }).getByRole('checkbox')
  await expect(boxes).toHaveCount(2)
  for (const box of await boxes.all()) await box.check()
  await page.getByRole('button', { name: 'Redeploy in rings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Redeploy 2 sites in rings' })
  await dialog.getByLabel('Rings', { exact: true }).fill('50, 40')
  await dialog.getByRole('button', { name: 'Redeploy 2 sites' }).click()
  await expect(dialog.getByText('Enter growing percentages that end with 100')).toBeVisible()
  await dialog.getByLabel('Rings', { exact: true }).fill('50, 100')
  await dialog.getByLabel('Minutes between rings').fill('60')
  expect((await axe(page).analyze()).violations).toEqual([])
  await dialog.getByRole('button', { name: 'Redeploy 2 sites' }).click()
  await page.getByRole('link', { name: 'Follow' }).click()
  const panel = page.getByRole('region', { name: 'Redeploying 2 sites in rings' })
  const rings = panel.getByRole('list', { name: 'Rings' }).getByRole('listitem')
  await expect(rings.first()).toContainText(/De(ploying|ployed)/)
  await expect(rings.nth(1)).toContainText('Waiting: 0 of 1')
  expect((await axe(page).analyze()).violations).toEqual([])
  const { rollouts } = await api<{ rollouts: { id: string }[] }>('/deployment-rings')
  await panel.getByRole('button', { name: 'Cancel' }).click()
  await expect(panel).toHaveCount(0)
  expect(await auditActions('deployment_rings', rollouts[0]?.id ?? '')).toEqual([
    ...['deployment.cancel_rings', 'deployment.start_rings'],
  ])
})
