import { added, auditActions, auditOf, choose, type Site, siteOf } from './support/sites.ts'
import { api, expect, hostedSites, sandbox, signIn, test } from './support/test.ts'

test('suspends a site at its provider, and resumes it', async ({ page }) => {
  const { sites } = await api<{ sites: Site[] }>('/sites?limit=100&status=active&sort=-site_name')
  const site = sites.find(({ provider }) => provider === 'pages')
  if (!site) throw new Error('The demo has no active site on Pages')
  // Other tests have sites taken offline too.
  const { settings } = await api<{ settings: { pages: { project: string } } }>(`/sites/${site.id}/settings`)
  const named = async (name: string) =>
    (await sandbox.requests()).filter(
      (request) => request.name === name && request.path.includes(`/pages/projects/${settings.pages.project}/`),
    ).length
  const before = {
    taken: await named('pages.projects.domains.delete'),
    given: await named('pages.projects.domains.create'),
  }

  await signIn(page, `/admin/sites?search=${site.domain}`)
  await choose(page, site.site_name, 'Suspend Site')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('listitem').filter({ hasText: site.domain }).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Suspend site' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Enter a reason')
  await dialog.getByLabel('Reason').fill('Not paid')
  await dialog.getByRole('button', { name: 'Suspend site' }).click()
  await expect.poll(async () => (await siteOf(site.id)).at_provider).toBe('offline')
  expect(await named('pages.projects.domains.delete')).toBeGreaterThan(before.taken)
  const row = page.getByRole('row', { name: new RegExp(site.domain) })
  await expect(row.getByText('Suspended')).toBeVisible()
  await expect.poll(() => auditActions(site.id)).toContain('site.suspend')

  await choose(page, site.site_name, 'Resume Site')
  await expect(dialog.getByRole('listitem').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Resume site' }).click()
  await expect.poll(async () => (await siteOf(site.id)).at_provider).toBe('served')
  expect(await named('pages.projects.domains.create')).toBeGreaterThan(before.given)
  await expect(row.getByText('Suspended')).toBeHidden()
  await expect.poll(() => auditActions(site.id)).toContain('site.resume')
})

test('suspends a site that only a deploy hook builds, and says that it stays online', async ({ page }) => {
  const { sites } = await api<{ sites: Site[] }>('/sites?limit=100&status=active&sort=site_name')
  const site = sites.find(({ provider, site_name }) => provider === 'hook' && site_name.startsWith('Casco'))
  if (!site) throw new Error('The demo has no active site that a hook builds')
  // Work that goes on by itself, and what other tests have begun, is about other sites.
  const label = (await hostedSites()).find(({ domain }) => domain === site.domain)?.label
  const changes = async () =>
    (await sandbox.requests()).filter(
      ({ method, path, params }) =>
        method !== 'GET' &&
        [site.domain, `/hooks/${label}`].some((word) => `${path} ${JSON.stringify(params)}`.includes(word)),
    ).length
  await signIn(page, `/admin/sites?search=${site.domain}`)
  const before = await changes()
  await choose(page, site.site_name, 'Suspend Site')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByText(/Deploy hooks cannot take sites offline/)).toBeVisible()
  await dialog.getByLabel('Reason').fill('Not paid')
  await dialog.getByRole('button', { name: 'Suspend site' }).click()
  await expect(page.getByText(`${site.site_name} is suspended here, but still live`).first()).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(site.domain) }).getByText('Suspended')).toBeVisible()
  expect(await siteOf(site.id)).toMatchObject({ status: 'suspended', at_provider: 'still_served' })
  expect(await changes()).toBe(before)
  const visitor = await page.context().newPage()
  expect((await visitor.goto(site.deployment_url ?? ''))?.status()).toBe(200)
  await visitor.close()
  await expect.poll(() => auditActions(site.id)).toContain('site.suspend')

  await choose(page, site.site_name, 'Resume Site')
  await expect(dialog.getByRole('listitem').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Resume site' }).click()
  await expect.poll(async () => (await siteOf(site.id)).status).toBe('active')
  await expect.poll(() => auditActions(site.id)).toContain('site.resume')
})

test('links a site to a project of Cloudflare Pages, which then builds the branch that is set', {
  tag: '@long',
}, async ({ page }) => {
  const [project, branch] = ['kennebectimber', 'spring-menu']
  const asked = async (name: string) =>
    (await sandbox.requests()).filter(
      (request) => request.name === name && request.path.includes(`/pages/projects/${project}`),
    )
  const site = await added()
  await signIn(page, `/admin/sites?open=${site.id}&tab=configuration`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Deployed by').selectOption({ label: 'Cloudflare Pages' })
  await dialog.getByRole('button', { name: 'Save settings' }).click()
  await expect(dialog.getByText('Choose a project', { exact: true }).last()).toBeVisible()
  expect(await api(`/sites/${site.id}/settings`)).toMatchObject({ settings: { provider: null } })
  await dialog.getByLabel('Pages project').selectOption(project)
  await dialog.getByLabel('Branch').fill(branch)
  const saves: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') saves.push(request.url())
  })
  const looks = (await asked('pages.projects.get')).length
  await dialog.getByRole('button', { name: 'Save settings' }).dblclick()
  await expect(page.getByText(`Saved the settings of ${site.site_name}`)).toBeVisible()
  expect(saves).toHaveLength(1)
  expect((await asked('pages.projects.get')).length).toBe(looks + 1)
  const pages = { project, branch }
  expect(await api(`/sites/${site.id}/settings`)).toMatchObject({ settings: { provider: 'pages', pages, hook: null } })
  const [saved, ...earlier] = await auditOf(`resource=site&resource_id=${site.id}`)
  expect(saved).toMatchObject({ action: 'site.update_settings', after: { provider: 'pages', project, branch } })
  expect(earlier.map(({ action }) => action)).toEqual(['site.create'])
  await page.reload()
  await expect(dialog.getByLabel('Pages project')).toHaveValue(project)
  await expect(dialog.getByLabel('Branch')).toHaveValue(branch)

  const builds = (await asked('pages.projects.deployments.create')).length
  await dialog.getByRole('tab', { name: 'Deployments' }).click()
  await dialog.getByRole('button', { name: 'Deploy now' }).click()
  await expect
    .poll(async () => (await asked('pages.projects.deployments.create')).slice(builds).map(({ params }) => params))
    .toEqual([expect.objectContaining({ branch })])
  await expect(dialog.getByRole('row').nth(1)).toContainText('Success')
})

test('a project that Cloudflare does not know is refused at its field, and nothing is saved', async ({ page }) => {
  const site = await added()
  await page.route('**/api/sites/projects', async (route) => {
    const gone = { name: 'gone-since', domains: [], production_branch: 'main', site: null }
    await route.fulfill({ json: { projects: [gone] } })
  })
  await signIn(page, `/admin/sites?open=${site.id}&tab=configuration`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Deployed by').selectOption({ label: 'Cloudflare Pages' })
  await dialog.getByLabel('Pages project').selectOption('gone-since')
  await dialog.getByRole('button', { name: 'Save settings' }).click()
  await expect(dialog.getByText(/Pages project gone-since/)).toBeVisible()
  expect(await api(`/sites/${site.id}/settings`)).toMatchObject({ settings: { provider: null } })
  expect(await auditActions(site.id)).toEqual(['site.create'])
})

test('links a site to a deploy hook, which then builds it; its secrets are shown to nobody', { tag: '@long' }, async ({
  page,
}) => {
  const [hosted] = (await hostedSites()).filter(({ label }) => label === 'sardinemuseum')
  const hook = hosted?.hook
  if (!hook) throw new Error('The demo has no such hook')
  const site = await added()
  await signIn(page, `/admin/sites?open=${site.id}&tab=configuration`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Deployed by').selectOption({ label: 'A deploy hook' })
  await dialog.getByLabel('Hook address').fill(hook.url)
  await dialog.getByLabel('Hook secret').fill(hook.secret)
  await dialog.getByLabel('The builder reports results').check()
  await dialog.getByLabel('Health-check path').fill('/menu')
  await dialog.getByRole('button', { name: 'Save settings' }).dblclick()
  await expect(page.getByText(`Saved the settings of ${site.site_name}`)).toBeVisible()
  await expect(dialog.getByText(/^Set \(/)).toBeVisible()
  const { settings } = await api<{ settings: object }>(`/sites/${site.id}/settings`)
  expect(settings).toMatchObject({ provider: 'hook', health_path: '/menu', hook: { has_secret: true } })
  const entries = await auditOf(`resource=site&resource_id=${site.id}`)
  expect(entries.map(({ action }) => action)).toEqual(['site.update_settings', 'site.create'])
  for (const text of [JSON.stringify(settings), JSON.stringify(entries), await page.content()]) {
    expect(text).not.toContain(hook.secret)
    expect(text).not.toContain(new URL(hook.url).pathname)
  }

  await dialog.getByRole('tab', { name: 'Deployments' }).click()
  await dialog.getByRole('button', { name: 'Deploy now' }).click()
  await expect(dialog.getByRole('row').nth(1)).toContainText('Success')
  const { deployments } = await api<{ deployments: { id: string }[] }>(`/deployments?site=${site.id}`)
  const calls = (await sandbox.requests()).filter(({ params }) => params['deployment_id'] === deployments[0]?.id)
  expect(calls.map(({ name, status }) => [name, status])).toEqual([['hooks.build', 202]])
})
