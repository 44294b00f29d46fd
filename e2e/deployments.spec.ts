import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { quickStageMs } from './support/sandbox.ts'
import { api, consoleUrl, expect, hosting, pace, sandbox, signIn, test } from './support/test.ts'

type Site = {
  id: string
  site_name: string
  domain: string
  provider: 'pages' | 'hook' | null
  deployment_url: string | null
}
type Deployment = { id: string; status: string; kind: 'deploy' | 'retry' | 'rollback'; build_id: string | null }
type Details = Deployment & {
  served: { matches: boolean | null; build_id: string | null } | null
  provider_deployment_id: string | null
}

const slowStageMs = 6000

/** Of the demo world's sites each test takes one of its own. */
async function siteOf(provider: 'pages' | 'hook', place: number): Promise<Site> {
  const found = async () => {
    const { sites } = await api<{ sites: Site[] }>('/sites?limit=100&sort=-site_name')
    return sites.filter(
      (site) =>
        site.provider === provider && !/wi[sś]niewski/i.test(site.site_name) && !site.domain.startsWith('guest-'),
    )
  }
  await expect.poll(async () => (await found()).length).toBeGreaterThan(place)
  const site = (await found())[place]
  if (!site) throw new Error('The demo world has too few sites')
  // What Pages built before the console came is taken in at once, some time after the start: no test counts before.
  if (provider === 'pages') {
    await expect.poll(async () => (await deploymentsOf(site)).length).toBeGreaterThan(0)
  }
  return site
}

async function projectOf({ id }: Site): Promise<string> {
  const { settings } = await api<{ settings: { pages: { project: string } } }>(`/sites/${id}/settings`)
  return settings.pages.project
}

const deploymentsOf = async ({ id }: Site) =>
  (await api<{ deployments: Deployment[] }>(`/deployments?site=${id}`)).deployments
const detailsOf = async (id: string) => (await api<{ deployment: Details }>(`/deployments/${id}`)).deployment
const actionsOf = async (id: string) =>
  (await api<{ entries: { action: string }[] }>(`/admin/audit?resource=deployment&resource_id=${id}`)).entries.map(
    ({ action }) => action,
  )

async function deploy({ id }: Site): Promise<string> {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const init = { method: 'POST', headers, body: JSON.stringify({ kind: 'deploy' }) }
  return (await api<{ deployment: Deployment }>(`/sites/${id}/deployments`, init)).deployment.id
}

const statusOf = async (id: string) => (await detailsOf(id)).status
const untilBuilt = (id: string) => expect.poll(() => statusOf(id)).toBe('success')

const pagesPaths = { deploy: '', retry: '/[^/]+/retry', rollback: '/[^/]+/rollback' }
const labelOf = ({ domain }: Site) => domain.replace(/\.example$/, '')

/** What the provider of the site was asked for, by the request log of the provider. */
async function callsOf(site: Site, kind: Deployment['kind']) {
  const requests = (await sandbox.requests()).filter(({ method }) => method === 'POST')
  if (site.provider === 'hook') {
    const name = kind === 'rollback' ? 'hooks.rollback' : 'hooks.build'
    return requests.filter((request) => request.name === name && request.path === `/hooks/${labelOf(site)}`)
  }
  const address = new RegExp(`/projects/${await projectOf(site)}/deployments${pagesPaths[kind]}$`)
  return requests.filter(({ path }) => address.test(path.split('?')[0] ?? ''))
}

/** What a visitor of the site is given. */
async function servedTo(page: Page, site: Site): Promise<string | undefined> {
  const visitor = await page.context().newPage()
  const answer = await visitor.goto(site.deployment_url ?? '')
  const build = answer?.headers()['x-build-id']
  await visitor.close()
  return build
}

const dialogOf = (page: Page) => page.getByRole('dialog')

test.afterEach(() => pace(quickStageMs))

const providers = ['pages', 'hook'] as const

for (const provider of providers) {
  test(`a double press deploys once: provider, screen, database, site and audit log (${provider})`, async ({
    page,
  }) => {
    const site = await siteOf(provider, 0)
    const before = (await callsOf(site, 'deploy')).length
    const known = (await deploymentsOf(site)).length
    await signIn(page, `/admin/sites?open=${site.id}&tab=deployments`)
    await dialogOf(page).getByRole('button', { name: 'Deploy now' }).dblclick()
    await expect(page.getByText(/^Deploying /)).toBeVisible()
    await expect.poll(async () => (await deploymentsOf(site)).length).toBe(known + 1)
    const [begun] = await deploymentsOf(site)
    const id = begun?.id ?? ''
    await expect(dialogOf(page).getByRole('row').nth(1)).toContainText('SuccessLive')
    await expect(dialogOf(page).getByText('Live', { exact: true })).toHaveCount(1)
    expect((await callsOf(site, 'deploy')).length).toBe(before + 1)
    const { served, build_id } = await detailsOf(id)
    expect(served).toMatchObject({ matches: true, build_id })
    await expect.poll(() => servedTo(page, site)).toBe(build_id)
    await expect.poll(() => actionsOf(id)).toEqual(['deployment.succeed', 'deployment.create'])
    await page.goto(`${consoleUrl()}/admin/deployments?open=${id}`)
    await expect(dialogOf(page).getByText(`Build ${build_id} is live.`)).toBeVisible()
    await expect(dialogOf(page).getByText('Live', { exact: true })).toBeVisible()
  })

  test(`a deployment is followed live, from the queue to the log, and cancelled (${provider})`, {
    tag: '@long',
  }, async ({ page }) => {
    // So slow that the build cannot be over before it is cancelled, on a slow machine either.
    await pace(slowStageMs)
    const site = await siteOf(provider, 1)
    const id = await deploy(site)
    await signIn(page, `/admin/deployments?open=${id}&view=log`)
    const log = page.getByRole('region', { name: `Log of ${site.site_name}` })
    await expect(log.getByRole('link', { name: 'Line 1', exact: true })).toBeVisible()
    const lines = () => log.locator('[data-line]').last().getAttribute('data-line')
    const first = Number(await lines())
    await expect.poll(async () => Number(await lines())).toBeGreaterThan(first)
    await dialogOf(page).getByRole('button', { name: 'Cancel deployment' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel deployment' }).click()
    await expect.poll(() => statusOf(id)).toBe('cancelled')
    await expect(dialogOf(page).getByText('Cancelled').first()).toBeVisible()
    await dialogOf(page).getByRole('tab', { name: 'Overview' }).click()
    if (provider === 'pages') {
      const { provider_deployment_id } = await detailsOf(id)
      const deleted = (await sandbox.requests()).filter(
        ({ method, path }) => method === 'DELETE' && path.includes(`/deployments/${provider_deployment_id}`),
      )
      expect(deleted).toHaveLength(1)
      await expect(dialogOf(page).getByText('Stopped at the host')).toBeVisible()
    } else {
      expect((await callsOf(site, 'deploy')).filter(({ params }) => params['deployment_id'] === id)).toHaveLength(1)
      await expect(dialogOf(page).getByText(/deploy hooks cannot be stopped/)).toBeVisible()
    }
    await expect.poll(() => actionsOf(id)).toContain('deployment.cancel')
  })

  test(`one that failed says why, and is tried again (${provider})`, { tag: '@long' }, async ({ page }) => {
    const site = await siteOf(provider, 2)
    if (provider === 'hook') await hosting('/faults', { label: labelOf(site), fault: 'fail' })
    else await sandbox.scenario('next_build', { project: await projectOf(site), outcome: 'failure' })
    const id = await deploy(site)
    await expect.poll(() => statusOf(id)).toBe('failed')
    const kind = provider === 'hook' ? 'deploy' : 'retry'
    const before = (await callsOf(site, kind)).length
    await signIn(page, `/admin/deployments?status=failed&open=${id}`)
    await expect(dialogOf(page).getByText('Failed').first()).toBeVisible()
    await dialogOf(page).getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Retry deployment' }).dblclick()
    await expect(page).not.toHaveURL(new RegExp(id))
    const [again] = await deploymentsOf(site)
    expect(again).toMatchObject({ kind: 'retry' })
    await untilBuilt(again?.id ?? '')
    await expect(dialogOf(page).getByText('Success').first()).toBeVisible()
    await expect(dialogOf(page).getByRole('link', { name: id })).toBeVisible()
    expect((await callsOf(site, kind)).length).toBe(before + 1)
    expect(await actionsOf(again?.id ?? '')).toContain('deployment.retry')
  })

  test(`a rollback brings back exactly the old build, and proves it (${provider})`, { tag: '@long' }, async ({
    page,
  }) => {
    const site = await siteOf(provider, 3)
    const old = await deploy(site)
    await untilBuilt(old)
    const newer = await deploy(site)
    await untilBuilt(newer)
    const { build_id: wanted } = await detailsOf(old)
    const { build_id: replaced } = await detailsOf(newer)
    await expect.poll(() => servedTo(page, site)).toBe(replaced)
    const before = (await callsOf(site, 'rollback')).length

    await signIn(page, `/admin/deployments?open=${old}`)
    await dialogOf(page).getByRole('button', { name: 'Roll back to this version' }).click()
    const confirm = page.getByRole('alertdialog')
    await expect(confirm.getByText('Live now')).toBeVisible()
    await confirm.getByRole('button', { name: /^Roll back to/ }).dblclick()
    await expect(page).not.toHaveURL(new RegExp(old))
    await expect(dialogOf(page).getByText(`Build ${wanted} is live.`)).toBeVisible()
    await expect.poll(() => servedTo(page, site)).toBe(wanted)
    const [rollback] = await deploymentsOf(site)
    expect(rollback).toMatchObject({ kind: 'rollback' })
    await untilBuilt(rollback?.id ?? '')
    await page.goto(`${consoleUrl()}/admin/sites?open=${site.id}&tab=deployments`)
    const rows = dialogOf(page).getByRole('row').filter({ hasText: 'Success' })
    await expect(rows.nth(0)).toContainText('Rollback to ')
    await expect(rows.filter({ hasText: 'Live' })).toHaveCount(1)
    await expect(rows.nth(2)).toContainText('Live')
    expect((await deploymentsOf(site)).filter(({ kind }) => kind === 'rollback')).toHaveLength(1)
    const calls = (await callsOf(site, 'rollback')).slice(before)
    expect(calls).toHaveLength(1)
    expect(`${calls[0]?.path} ${JSON.stringify(calls[0]?.params)}`).toContain(wanted)
    await expect.poll(() => actionsOf(rollback?.id ?? '')).toContain('deployment.roll_back')
  })
}

test('a variable that is saved reaches the next build, and no screen or entry holds its value', {
  tag: '@long',
}, async ({ page }) => {
  const site = await siteOf('pages', 6)
  const value = `value-${crypto.randomUUID()}`
  await signIn(page, `/admin/sites?open=${site.id}&tab=configuration`)
  await dialogOf(page).getByRole('button', { name: 'Add variable' }).click()
  await dialogOf(page).getByLabel('Name 1').fill('MENU_KEY')
  await dialogOf(page).getByLabel('Value 1').fill(value)
  await dialogOf(page)
    .getByRole('button', { name: /^Save as version/ })
    .click()
  await expect(dialogOf(page).getByRole('button', { name: 'Replace MENU_KEY' })).toBeVisible()
  await dialogOf(page).getByRole('tab', { name: 'Deployments' }).click()
  await dialogOf(page).getByRole('button', { name: 'Deploy now' }).click()
  const project = await projectOf(site)
  const given = async () =>
    (await sandbox.requests())
      .filter(({ name, path }) => name === 'pages.projects.edit' && path.includes(`/projects/${project}`))
      .map(({ params }) => JSON.stringify(params))
  await expect.poll(given).toContainEqual(expect.stringContaining('MENU_KEY'))
  await expect(dialogOf(page).getByRole('row').nth(1)).toContainText('Success')
  expect(await page.content()).not.toContain(value)
  const { entries } = await api<{ entries: { id: string; action: string }[] }>(
    `/admin/audit?resource=site&resource_id=${site.id}`,
  )
  const saved = entries.find(({ action }) => action === 'site.update_environment')
  const entry = JSON.stringify(await api(`/admin/audit/entries/${saved?.id}`))
  expect(entry).toContain('MENU_KEY')
  expect(entry).not.toContain(value)
})

test('variables that are rolled back reach the next build as they were', { tag: '@long' }, async ({ page }) => {
  const site = await siteOf('pages', 7)
  const project = await projectOf(site)
  const versions = async () =>
    (await api<{ environment: { version: number } }>(`/sites/${site.id}/environment`)).environment.version
  const save = async (change: { set?: object; remove?: string[] }) =>
    api(`/sites/${site.id}/environment`, {
      method: 'PUT',
      body: JSON.stringify({ version: await versions(), set: {}, remove: [], ...change }),
    })
  const given = async () =>
    (await sandbox.requests())
      .filter(({ name, path }) => name === 'pages.projects.edit' && path.includes(`/projects/${project}`))
      .map(({ params }) => JSON.stringify(params))
  await save({ set: { OPENING_HOURS: 'nine to five' } })
  const known = await versions()
  await untilBuilt(await deploy(site))
  await save({ remove: ['OPENING_HOURS'] })
  await untilBuilt(await deploy(site))
  expect((await given()).at(-1)).toContain('"OPENING_HOURS":null')

  await signIn(page, `/admin/sites?open=${site.id}&tab=configuration`)
  await dialogOf(page).getByRole('button', { name: 'Versions' }).click()
  const button = { name: `Roll back to version ${known}`, exact: true }
  await dialogOf(page).getByRole('button', button).click()
  const confirm = page.getByRole('alertdialog')
  await expect(confirm.getByText('OPENING_HOURS')).toBeVisible()
  await confirm.getByRole('button', button).click()
  await expect(dialogOf(page).getByRole('button', { name: 'Replace OPENING_HOURS' })).toBeVisible()
  expect(await versions()).toBe(known + 2)
  await dialogOf(page).getByRole('tab', { name: 'Deployments' }).click()
  await dialogOf(page).getByRole('button', { name: 'Deploy now' }).click()
  await expect.poll(async () => (await given()).at(-1)).toContain('"OPENING_HOURS":{')
  await expect(dialogOf(page).getByRole('row').nth(1)).toContainText('Success')
  const [newest] = await deploymentsOf(site)
  expect(await detailsOf(newest?.id ?? '')).toMatchObject({ environment_version: known + 2 })
  const { entries } = await api<{ entries: { action: string }[] }>(
    `/admin/audit?resource=site&resource_id=${site.id}&action=site.roll_back_environment`,
  )
  expect(entries).toHaveLength(1)
})

for (const provider of providers) {
  test(`one that waits names its place, and is cancelled before anything is sent (${provider})`, {
    tag: '@long',
  }, async ({ page }) => {
    const site = await siteOf(provider, 1)
    const old = await deploy(site)
    await untilBuilt(old)
    await untilBuilt(await deploy(site))
    const before = (await callsOf(site, 'rollback')).length
    // So slow that the build ahead cannot be over before the one that waits is cancelled.
    await pace(slowStageMs)
    const first = await deploy(site)
    await expect.poll(() => statusOf(first)).not.toBe('queued')
    const init = { method: 'POST', body: JSON.stringify({ to: old }) }
    const { deployment } = await api<{ deployment: Deployment }>(`/sites/${site.id}/rollback`, init)
    await signIn(page, `/admin/deployments?open=${deployment.id}`)
    await expect(dialogOf(page).getByText('Position 1 in the queue.')).toBeVisible()
    await dialogOf(page).getByRole('button', { name: 'Cancel deployment' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel deployment' }).dblclick()
    await expect.poll(() => statusOf(deployment.id)).toBe('cancelled')
    await expect(dialogOf(page).getByText('Cancelled before the start')).toBeVisible()
    await pace(quickStageMs)
    await expect.poll(() => statusOf(first)).toBe('success')
    await expect
      .poll(() => actionsOf(deployment.id))
      .toEqual(['deployment.cancel', 'deployment.cancel', 'deployment.roll_back'])
    expect((await callsOf(site, 'rollback')).length).toBe(before)
  })
}

test('a log is searched, a line of it is linked to, and it is downloaded', async ({ page }) => {
  const site = await siteOf('pages', 4)
  await sandbox.scenario('next_build', { project: await projectOf(site), outcome: 'success', lines: 3000 })
  const id = await deploy(site)
  await untilBuilt(id)
  await signIn(page, `/admin/deployments?open=${id}&view=log&line=2000`)
  const log = page.getByRole('region', { name: `Log of ${site.site_name}` })
  const line = log.locator('[data-line="2000"]')
  await expect(line).toBeInViewport()
  await expect(line).toHaveAttribute('data-named', 'true')
  expect(await log.locator('[data-line]').count()).toBeLessThan(300)
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search the log' })).toBeFocused()
  await page.keyboard.type('cloning')
  await expect(page.getByText(/^\d+ of [\d,]+$/)).toBeVisible()
  await expect(log.locator('mark').first()).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/line=\d+/)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download log' }).click()
  expect((await download).suggestedFilename()).toContain(id)
  const taken = () => api<{ entries: unknown[] }>('/admin/audit?action=deployment.export_log&limit=1')
  await expect.poll(async () => JSON.stringify((await taken()).entries)).toContain(id)
})

for (const [width, colorScheme] of [
  [1440, 'light'],
  [900, 'dark'],
  [390, 'light'],
] as const) {
  test(`list, details and log pass axe at ${width} px, ${colorScheme}`, { tag: '@long' }, async ({ page }) => {
    const site = await siteOf('pages', 5)
    await expect.poll(async () => (await deploymentsOf(site)).length).toBeGreaterThan(0)
    const [newest] = await deploymentsOf(site)
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await signIn(page, '/admin/deployments')
    for (const address of ['', `?open=${newest?.id}`, `?open=${newest?.id}&view=log`]) {
      await page.goto(`${consoleUrl()}/admin/deployments${address}`)
      await expect(page.getByText(/\d deployments? ·/)).toBeVisible()
      if (address) await expect(dialogOf(page).getByRole('tab', { name: 'Log' })).toBeVisible()
      expect((await axe(page).analyze()).violations).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    }
  })
}
