import { readFile } from 'node:fs/promises'
import { axe } from './support/axe.ts'
import { exportAs } from './support/exports.ts'
import { api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

type Domain = { id: string; name: string; plan: { name?: string | null } | null }
type Answer = { totals: { requests: number } | null; series: { ts: string; requests: number }[] }

const listed = async (): Promise<Domain[]> =>
  (await api<{ domains?: Domain[] }>('/cloudflare/domains?limit=100')).domains ?? []

/** The list is read from Cloudflare soon after the start. */
async function domain(suits: (domain: Domain) => boolean): Promise<Domain> {
  let found: Domain | undefined
  await expect
    .poll(async () => {
      found = (await listed()).find(suits)
      return found !== undefined
    })
    .toBe(true)
  if (!found) throw new Error('no such domain')
  return found
}
const named = (name: string) => domain((each) => each.name === name)
const onPlan = (plan: string, place = 0) => {
  let seen = 0
  return domain((each) => /^[a-z.-]+$/.test(each.name) && each.plan?.name === plan && seen++ === place)
}
const addressOf = ({ id }: Domain, range = '') => `/admin/domains/${id}/analytics${range && `?range=${range}`}`
const questionsAbout = async ({ id }: Domain) =>
  (await sandbox.requests()).filter(({ name, params }) => name === 'graphql' && JSON.stringify(params).includes(id))

test.afterEach(() => sandbox.clearFaults())

test('figures come first, are those of the API, and come from Cloudflare', async ({ page }) => {
  const zone = await onPlan('Business Website')
  await signIn(page, addressOf(zone, '30d'))
  await expect(page.getByRole('heading', { level: 1, name: zone.name })).toBeVisible()
  await expect(page.getByText('Business Website · measured by Cloudflare · days in UTC')).toBeVisible()
  const answer = await api<Answer>(`/cloudflare/zones/${zone.id}/analytics?range=30d`)
  expect((await questionsAbout(zone)).length).toBeGreaterThan(0)
  expect(answer.series).toHaveLength(30)
  const card = page.getByRole('article').filter({ hasText: 'Page views' })
  await expect(card).toContainText('vs the 30 days before')
  const requests = page.getByRole('article').filter({ hasText: /^Requests/ })
  await expect(requests).toContainText(answer.totals?.requests.toLocaleString('en-US') ?? 'nothing')
  await requests.getByRole('button').focus()
  await expect(page.getByRole('tooltip').filter({ hasText: 'Whole days' })).toBeVisible()
  await expect(page.locator('svg [data-series]').first()).toBeVisible()
  const { violations } = await axe(page).analyze()
  expect(violations).toEqual([])
})

test('the range is in the address, and each chart is a table too, by keyboard alone', async ({ page }) => {
  const zone = await onPlan('Business Website', 1)
  await signIn(page, addressOf(zone))
  await page.getByRole('link', { name: '7 days' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/range=7d/)
  await expect(page.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'page')
  const panel = page.getByRole('region', { name: 'Requests', exact: true })
  await panel.getByRole('button', { name: 'Show as table' }).focus()
  await page.keyboard.press('Enter')
  const { series } = await api<Answer>(`/cloudflare/zones/${zone.id}/analytics?range=7d`)
  const rows = panel.getByRole('row')
  await expect(rows).toHaveCount(8)
  await expect(rows.nth(1)).toContainText('in progress')
  await expect(rows.nth(7)).toContainText(series[0]?.requests.toLocaleString('en-US') ?? 'nothing')
  const { violations } = await axe(page).analyze()
  expect(violations).toEqual([])
})

test('a range beyond the plan says so, and a list that the plan refuses says why', async ({ page }) => {
  const zone = await onPlan('Free Website')
  await signIn(page, addressOf(zone, '90d'))
  await expect(page.getByText(/^Your plan keeps 31 days\. Earlier days come from this console/)).toBeVisible()
  await expect(page.getByRole('link', { name: '90 days · beyond the plan' })).toBeVisible()
  await expect(page.getByRole('link', { name: '30 days', exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Top paths' })).toContainText('Not included in the plan')
  await expect(page.getByRole('region', { name: 'Top countries' }).getByRole('row')).not.toHaveCount(0)
  const visitors = page.getByRole('article').filter({ hasText: 'Unique visitors' })
  await expect(visitors).toContainText('Unavailable')
})

test('no access is said, and no zero is shown', async ({ page }) => {
  await signIn(page, addressOf(await named('borrowed-zone.example')))
  await expect(page.getByRole('alert').filter({ hasText: 'The token needs Zone.Analytics:Read' })).toBeVisible()
  await expect(page.getByText('No figures to show')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeDisabled()
})

test('an outage says what it is; once it is over, Retry shows the figures', { tag: '@long' }, async ({ page }) => {
  const zone = await domain(({ name }) => name === 'pinewood-parking.example')
  await sandbox.fault({ provider: 'cloudflare', match: 'graphql', status: 503, times: null })
  await signIn(page, addressOf(zone))
  const asIs = page.getByRole('alert').filter({ hasText: 'Cloudflare could not be read' })
  await expect(asIs).toBeVisible()
  await expect(page.getByText('No figures to show')).toBeVisible()
  await sandbox.clearFaults()
  await expect(async () => {
    if (await asIs.isVisible()) await asIs.getByRole('button', { name: 'Retry' }).click({ timeout: 1000 })
    await expect(asIs).toBeHidden({ timeout: 2000 })
  }).toPass()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('the figures can be taken along, and who took them is written down', async ({ page }) => {
  const zone = await onPlan('Pro Website')
  await signIn(page, addressOf(zone, '7d'))
  const download = await exportAs(page, 'CSV')
  expect(download.suggestedFilename()).toContain(`analytics-${zone.name}-`)
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  const { series } = await api<Answer>(`/cloudflare/zones/${zone.id}/analytics?range=7d`)
  expect(lines).toHaveLength(1 + series.length)
  expect(lines[1]).toContain(`${series[0]?.ts},${series[0]?.requests},`)
  const exported = async () => {
    const path = '/admin/audit?limit=100&action=export.download'
    return (await api<{ entries: { details: string }[] }>(path)).entries.map(({ details }) => details)
  }
  await expect.poll(exported).toContain(`Downloaded the export of domain analytics: ${zone.name} as CSV`)
})

test('an unknown domain is said to be unknown', async ({ page }) => {
  await listed()
  await signIn(page, '/admin/domains/nowhere/analytics')
  await expect(page.getByText('Domain not found')).toBeVisible()
  expect(page.url()).toContain(consoleUrl())
})
