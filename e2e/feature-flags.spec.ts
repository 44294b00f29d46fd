import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { auditActions, watchedSite } from './support/monitoring.ts'
import { api, consoleUrl, expect, signIn, test } from './support/test.ts'

type Flag = { id: string; name: string; enabled: boolean; rollout_percentage: number }
const flags = async (): Promise<Flag[]> => (await api<{ flags: Flag[] }>('/features')).flags
const flagNamed = async (name: string): Promise<Flag> => {
  const flag = (await flags()).find((one) => one.name === name)
  if (!flag) throw new Error(`There is no flag ${name}`)
  return flag
}
const make = async (terms: object): Promise<Flag> =>
  (await api<{ flag: Flag }>('/features', { method: 'POST', body: JSON.stringify(terms) })).flag
const archive = (name: string) => flagNamed(name).then(({ id }) => api(`/features/${id}/archive`, { method: 'POST' }))

/** A site asks, as a server does. */
async function asSite(name: string): Promise<(targetingKey: string) => Promise<boolean>> {
  const body = JSON.stringify({ name: `Site for ${name}`, permissions: ['flags.evaluate'] })
  const { key } = await api<{ key: string }>('/admin/api-keys', { method: 'POST', body })
  return async (targetingKey) => {
    const answer = await fetch(`${consoleUrl()}/ofrep/v1/evaluate/flags/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ context: { targetingKey } }),
    })
    return ((await answer.json()) as { value: boolean }).value
  }
}

const complaints = async (page: Page) =>
  (await axe(page).analyze()).violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)

test('a flag is added, switched on for a part, and switched off: sites hear of it, the audit log keeps it', async ({
  page,
}) => {
  const name = 'e2e-new-header'
  await signIn(page, '/admin/features')
  await page.getByRole('button', { name: 'Add Feature Flag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Feature Flag' })
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('Description').fill('The header of the spring')
  await dialog.getByLabel('Rollout percentage').fill('40')
  expect(await complaints(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add flag' }).click()
  await expect(page.getByText(`Added ${name}, switched off`)).toBeVisible()

  const sees = await asSite(name)
  expect(await sees('visitor-1')).toBe(false)
  const toggle = page.getByRole('switch', { name: `${name} enabled` })
  await toggle.click()
  await expect(toggle).toBeChecked()
  const visitors = Array.from({ length: 40 }, (_, n) => `visitor-${n}`)
  const first = await Promise.all(visitors.map(sees))
  expect(first).toContain(true)
  expect(first).toContain(false)

  await page.getByRole('button', { name, exact: true }).click()
  const item = page.getByRole('listitem').filter({ has: page.getByRole('button', { name, exact: true }) })
  await item.getByLabel('Rollout percentage').fill('100')
  await item.getByRole('button', { name: 'Save percentage' }).click()
  await expect(item.getByText('On for everyone')).toBeVisible()
  expect(await Promise.all(visitors.map(sees))).not.toContain(false)
  expect(await complaints(page)).toEqual([])

  await toggle.click()
  await expect(toggle).not.toBeChecked()
  expect(await sees('visitor-1')).toBe(false)
  const { id } = await flagNamed(name)
  expect(await auditActions('feature_flag', id)).toEqual([
    ...['feature_flag.update', 'feature_flag.update', 'feature_flag.update', 'feature_flag.create'],
  ])

  await item.getByRole('button', { name: 'History' }).click()
  const history = page.getByRole('dialog', { name: `History of ${name}` })
  await history.getByRole('button', { name: 'Revert to version 2' }).click()
  await expect(history.getByText('Back to version 2', { exact: true })).toBeVisible()
  expect(await complaints(page)).toEqual([])
  await history.getByRole('button', { name: 'Close' }).click()
  await expect(toggle).toBeChecked()
  expect(await flagNamed(name)).toMatchObject({ enabled: true, rollout_percentage: 40 })

  await item.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Archive flag' }).click()
  await expect(page.getByText(`Archived ${name}`)).toBeVisible()
  expect(await sees('visitor-1')).toBeUndefined()
})

test('who sees a flag now is told of every site, with the reason', async ({ page }) => {
  const site = await watchedSite('acadiakayak')
  await make({
    ...{ name: 'e2e-one-site', enabled: true, rollout_percentage: 0 },
    always: { sites: [site.id], customers: [], plans: [], domains: [] },
  })
  await signIn(page, '/admin/features')
  await page.getByRole('button', { name: 'e2e-one-site', exact: true }).click()
  await page.getByRole('button', { name: 'Who sees this now' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who sees e2e-one-site now' })
  await expect(dialog.getByText(/^1 of \d+ sites$/)).toBeVisible()
  await dialog.getByLabel('Show').selectOption({ index: 1 })
  await expect(dialog.getByRole('list', { name: 'Sites' }).getByRole('listitem')).toHaveCount(1)
  await expect(dialog.getByText('Always on for it')).toBeVisible()
  expect(await complaints(page)).toEqual([])
  await archive('e2e-one-site')
})

test('a rollout takes its first step at once, is paused with the flag, and goes on', async ({ page }) => {
  const flag = await make({ name: 'e2e-in-steps' })
  await signIn(page, `/admin/tools?tab=features&open=${flag.id}`)
  const item = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: flag.name, exact: true }) })
  await item.getByRole('button', { name: 'Roll out in steps' }).click()
  const dialog = page.getByRole('dialog', { name: `Roll out ${flag.name} in steps` })
  await dialog.getByLabel('Step 1 percent').fill('15')
  expect(await complaints(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Start rollout' }).click()
  const steps = item.getByRole('region', { name: 'Rollout in steps' })
  await expect(steps.getByText(/^Done /)).toBeVisible()
  expect(await flagNamed(flag.name)).toMatchObject({ enabled: true, rollout_percentage: 15 })
  await expect(item.getByLabel('Rollout percentage')).toBeDisabled()
  const enabled = page.getByRole('switch', { name: `${flag.name} enabled` })
  // The steps and the flag are two answers: the step may be seen as done before the flag as on.
  await expect(enabled).toBeChecked()
  await enabled.click()
  await expect(steps.getByText('Paused: The flag was switched off')).toBeVisible()
  expect(await complaints(page)).toEqual([])
  await steps.getByRole('button', { name: 'Resume rollout' }).click()
  await expect(steps.getByText('Running')).toBeVisible()
  await steps.getByRole('button', { name: 'Cancel rollout' }).click()
  await expect(steps.getByText('Cancelled')).toBeVisible()
  expect((await auditActions('feature_flag', flag.id)).slice(0, 3)).toEqual([
    ...['feature_flag.cancel_rollout', 'feature_flag.resume_rollout', 'feature_flag.pause_rollout'],
  ])
  await archive(flag.name)
})

test('the list is used with the keyboard alone, and fits a phone', { tag: '@long' }, async ({ page }) => {
  await make({ name: `e2e-${'long'.repeat(24)}`, description: 'A flag whose name is as long as a name may be' })
  await signIn(page, '/admin/features')
  const toggle = page.getByRole('button', { name: /^e2e-long/ })
  await toggle.focus()
  await page.keyboard.press('Enter')
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  await expectToFit(page, [1440, 900, 390, 320], 'an open flag')
  const onOff = page.getByRole('switch', { name: /^e2e-long/ })
  await onOff.focus()
  await page.keyboard.press('Space')
  await expect(onOff).toBeChecked()
  await archive(`e2e-${'long'.repeat(24)}`)
})

test('a browser key is made for the pages of a site', async ({ page }) => {
  await signIn(page, '/admin/api-keys')
  await page.getByRole('button', { name: 'Generate API Key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' })
  await dialog.getByLabel('Name').fill('Pages of the shop')
  await dialog.getByRole('checkbox', { name: /flags\.evaluate/ }).check()
  await dialog.getByLabel('Allowed origins').fill('https://shop.example/')
  await dialog.getByLabel('Calls per minute').fill('120000')
  await dialog.getByRole('button', { name: 'Generate key' }).click()
  const answer = page.getByRole('dialog', { name: 'API key Pages of the shop' })
  const key = (await answer.getByRole('code').textContent()) ?? ''
  await answer.getByRole('button', { name: 'I have stored the key' }).click()
  const ask = (origin: string) =>
    fetch(`${consoleUrl()}/ofrep/v1/evaluate/flags`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', origin },
      body: '{"context":{"targetingKey":"visitor-1"}}',
    })
  const allowed = await ask('https://shop.example')
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, 'https://shop.example'])
  expect((await ask('https://other.example')).status).toBe(403)
})

test('the sites of the demo ask for flags: one that is switched off is gone from their pages at once', async ({
  page,
}) => {
  const bar = page.getByText('This week: 10 % off for everyone who asks.')
  await expect(async () => {
    const { sites } = await api<{ sites: { deployment_url: string }[] }>('/sites?search=acadiakayak')
    await page.goto(sites[0]?.deployment_url ?? '')
    await expect(bar).toBeVisible({ timeout: 10_000 })
  }).toPass()
  const { id } = await flagNamed('announcement-bar')
  const set = (body: object) => api(`/features/${id}`, { method: 'PATCH', body: JSON.stringify(body) })
  await set({ enabled: false })
  await page.reload()
  await expect(bar).toHaveCount(0)
  const { flags: now } = await api<{ flags: { id: string; version: number }[] }>('/features')
  await set({ enabled: true, version: now.find((flag) => flag.id === id)?.version })
  await page.reload()
  await expect(bar).toBeVisible()
})
