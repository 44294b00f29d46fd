import { axe } from './support/axe.ts'
import { exportAs } from './support/exports.ts'
import { added, auditActions, auditOf, choose, openId, type Site, siteOf, unique } from './support/sites.ts'
import { api, consoleUrl, expect, hostedSites, openSession, sandbox, signIn, test } from './support/test.ts'

test('adds a site: one for a double press, then details, list, database and audit log', async ({ page }) => {
  const name = `Guest ${unique()}`
  const domain = `${name.toLowerCase().replace(' ', '-')}.example`
  const email = `${crypto.randomUUID()}@example.com`
  const owner = await api<{ customer: { id: string } }>('/stripe/customers', {
    method: 'POST',
    body: JSON.stringify({ name: `Owner of ${name}`, email }),
  })
  await signIn(page, '/admin/sites')
  await page.getByRole('button', { name: 'Add Site' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Site' })
  await dialog.getByRole('button', { name: 'Add Site' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Please fill in required fields')
  await dialog.getByLabel('Site name').fill(name)
  await dialog.getByLabel('Domain', { exact: true }).fill(domain.toUpperCase())
  await dialog.getByRole('combobox', { name: 'Customer' }).fill(email)
  await page.getByRole('option', { name: new RegExp(email) }).click()
  await dialog.getByRole('button', { name: 'Add Site' }).dblclick()
  await expect(page.getByText(`Added ${name}`)).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('heading', { name })).toBeVisible()

  const { sites } = await api<{ sites: Site[] }>(`/sites?search=${encodeURIComponent(name)}`)
  expect(sites).toHaveLength(1)
  expect(sites[0]).toMatchObject({
    ...{ site_name: name, domain, status: 'pending', customer_id: owner.customer.id },
    deployment_url: `https://${domain}`,
  })
  expect(openId(page)).toBe(sites[0]?.id)
  expect(await auditActions(openId(page))).toEqual(['site.create'])
  await page.goto(`${consoleUrl()}/admin/customers?open=${owner.customer.id}&tab=sites`)
  await expect(page.getByRole('dialog').getByRole('link', { name: new RegExp(name) })).toBeVisible()
})

test('edits a site, and keeps what was typed when somebody else was faster', async ({ page }) => {
  const site = await added()
  await signIn(page, `/admin/sites?search=${encodeURIComponent(site.site_name)}`)
  await choose(page, site.site_name, 'Edit Site')
  const dialog = page.getByRole('dialog', { name: 'Edit Site' })
  await dialog.getByLabel('Site name').fill(`${site.site_name} Typed`)
  const body = JSON.stringify({ version: 1, site_name: `${site.site_name} Other` })
  await api(`/sites/${site.id}`, { method: 'PATCH', body })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Load current state' }).click()
  await expect(dialog.getByLabel('Site name')).toHaveValue(`${site.site_name} Typed`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`Saved ${site.site_name} Typed`)).toBeVisible()
  await expect(page.getByRole('row', { name: /Typed/ })).toBeVisible()
  expect((await siteOf(site.id)).site_name).toBe(`${site.site_name} Typed`)
  expect(await auditActions(site.id)).toEqual(['site.update', 'site.update', 'site.create'])
})

test('a domain that is taken is refused at its field', async ({ page }) => {
  const site = await added()
  await signIn(page, '/admin/sites')
  await page.getByRole('button', { name: 'Add Site' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Site' })
  await dialog.getByLabel('Site name').fill('Another')
  await dialog.getByLabel('Domain', { exact: true }).fill(site.domain)
  await dialog.getByRole('button', { name: 'Add Site' }).click()
  await expect(dialog.getByRole('alert')).toContainText(site.domain)
  expect((await api<{ sites: Site[] }>(`/sites?search=${site.domain}`)).sites).toHaveLength(1)
})

test('opens the details and the site itself by the menu of its row', async ({ page }) => {
  const { sites } = await api<{ sites: Site[] }>('/sites?limit=100&status=active&sort=site_name')
  const site = sites.find(({ provider, site_name }) => provider === 'pages' && /^[A-Z]/.test(site_name))
  if (!site) throw new Error('The demo has no active site on Pages')
  await signIn(page, `/admin/sites?search=${site.domain}`)
  const opened = page.waitForEvent('popup')
  await choose(page, site.site_name, 'Visit Site')
  const visit = await opened
  await expect(visit).toHaveURL(new RegExp(`^${site.deployment_url}`))
  await expect(visit.getByText(site.site_name).first()).toBeVisible()
  await visit.close()
  await choose(page, site.site_name, 'View Details')
  await expect(page.getByRole('dialog').getByRole('heading', { name: site.site_name })).toBeVisible()
  expect(openId(page)).toBe(site.id)
})

test('offers the customers that were loaded last when they cannot be loaded', async ({ page }) => {
  const site = await added()
  await signIn(page, `/admin/sites?search=${site.domain}`)
  await choose(page, site.site_name, 'Edit Site')
  const dialog = page.getByRole('dialog', { name: 'Edit Site' })
  const owner = dialog.getByRole('combobox', { name: 'Customer' })
  await owner.click()
  await expect(page.getByRole('option').first()).toBeVisible()
  const name = (await page.getByRole('option').first().locator('bdi').first().textContent()) ?? ''
  await page.route('**/api/sites/owners**', (route) => route.fulfill({ status: 503, body: '' }))
  await page.goto(`${consoleUrl()}/admin/sites?search=${site.domain}`)
  await choose(page, site.site_name, 'Edit Site')
  await owner.click()
  await expect(dialog.getByRole('alert')).toHaveText('Customers could not be loaded. Showing the last known ones.')
  await page.getByRole('option', { name }).first().click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`Saved ${site.site_name}`)).toBeVisible()
  expect((await siteOf(site.id)).customer_id).toMatch(/^cus_/)
})

test('sets the status by hand with a reason, for a while', async ({ page }) => {
  const site = await added()
  await signIn(page, `/admin/sites?search=${site.domain}`)
  await choose(page, site.site_name, 'Change Status')
  const dialog = page.getByRole('dialog', { name: /Change Status/ })
  await dialog.getByLabel('Status').selectOption('maintenance')
  await dialog.getByLabel('Reason').fill('New design')
  await dialog.getByLabel('How long').selectOption({ label: 'For 4 hours' })
  await dialog.getByRole('button', { name: 'Change status' }).click()
  await expect(page.getByRole('row', { name: new RegExp(site.domain) }).getByText('Maintenance')).toBeVisible()
  expect(await siteOf(site.id)).toMatchObject({ status: 'maintenance', status_reason: 'New design' })
  expect(await auditActions(site.id)).toContain('site.set_status')
  await page.goto(`${consoleUrl()}/admin/sites?open=${site.id}`)
  await expect(page.getByRole('dialog').getByText('New design').first()).toBeVisible()
})

test('saves the environment masked, and rolls it back', async ({ page }) => {
  const site = await added()
  const value = `value-${crypto.randomUUID()}`
  await signIn(page, `/admin/sites?open=${site.id}&tab=configuration`)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add variable' }).click()
  await dialog.getByLabel('Name 1').fill('API_KEY')
  await dialog.getByLabel('Value 1').fill(value)
  await dialog.getByRole('button', { name: 'Save as version 1' }).click()
  await expect(dialog.getByText('API_KEY', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove API_KEY' }).click()
  await dialog.getByRole('button', { name: 'Save as version 2' }).click()
  await expect(dialog.getByText('No environment variables yet.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Versions' }).click()
  await dialog.getByRole('button', { name: 'Roll back to version 1' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByText('API_KEY')).toBeVisible()
  await question.getByRole('button', { name: 'Roll back to version 1' }).click()
  await expect(dialog.getByRole('button', { name: 'Replace API_KEY' })).toBeVisible()
  const { environment } = await api<{ environment: { version: number } }>(`/sites/${site.id}/environment`)
  expect(environment.version).toBe(3)
  const entries = await auditOf(`resource=site&resource_id=${site.id}`)
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['site.roll_back_environment', 'site.update_environment']),
  )
  expect(JSON.stringify(entries)).not.toContain(value)
  expect(await page.content()).not.toContain(value)
})

for (const [from, kind] of [
  ['its details', 'pages'],
  ['the menu of its row', 'pages'],
  ['the menu of its row', 'hook'],
] as const) {
  test(`one press of Redeploy in ${from} is one deployment at the provider (${kind})`, async ({ page }) => {
    const { sites } = await api<{ sites: Site[] }>('/sites?limit=100&status=active&sort=site_name')
    const site = sites.find(({ provider, site_name }) => provider === kind && /^[A-Z]/.test(site_name))
    if (!site) throw new Error(`The demo has no active site of the kind ${kind}`)
    const call = kind === 'pages' ? 'pages.projects.deployments.create' : 'hooks.build'
    // What other tests have begun may still be built, at other places.
    const { settings } = await api<{ settings: { pages: { project: string } | null } }>(`/sites/${site.id}/settings`)
    const label = (await hostedSites()).find(({ domain }) => domain === site.domain)?.label
    const place = kind === 'pages' ? `/pages/projects/${settings.pages?.project}/` : `/hooks/${label}`
    const builds = async () =>
      (await sandbox.requests()).filter(({ name, path }) => name === call && path.includes(place)).length
    type Deployment = { status: string }
    const newest = async () =>
      (await api<{ deployments: Deployment[] }>(`/deployments?site=${site.id}`)).deployments[0]?.status ?? 'none'
    await expect.poll(newest).toMatch(/^(success|failed|cancelled|none)$/)
    const before = await builds()
    if (from === 'its details') {
      await signIn(page, `/admin/sites?open=${site.id}`)
      await page.getByRole('dialog').getByRole('button', { name: 'Redeploy' }).dblclick()
    } else {
      await signIn(page, `/admin/sites?search=${site.domain}`)
      await choose(page, site.site_name, 'Redeploy')
    }
    const log = page.locator('a', { hasText: 'View log' })
    await expect(log).toHaveAttribute('href', /^\/admin\/deployments\?open=dep_/)
    const id = (await log.getAttribute('href'))?.split('open=')[1] ?? ''
    const state = async () => (await api<{ deployment: { status: string } }>(`/deployments/${id}`)).deployment.status
    await expect.poll(state).toBe('success')
    expect((await builds()) - before).toBe(1)
    const entries = await auditOf(`resource=deployment&resource_id=${id}`)
    expect(entries.map(({ action }) => action)).toEqual(['deployment.succeed', 'deployment.create'])
  })
}

test('the screen and its dialogs pass axe', { tag: '@long' }, async ({ page }) => {
  const site = await added()
  const complaints = async () => {
    const { violations } = await axe(page).analyze()
    return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)
  }
  await signIn(page, `/admin/sites?search=${site.domain}`)
  await expect(page.getByRole('row', { name: new RegExp(site.domain) })).toBeVisible()
  expect(await complaints()).toEqual([])
  await page.goto(`${consoleUrl()}/admin/sites?open=${site.id}`)
  await expect(page.getByRole('dialog').getByText('Status history')).toBeVisible()
  expect(await complaints()).toEqual([])
  await page.goto(`${consoleUrl()}/admin/sites?open=${site.id}&tab=configuration`)
  await page.getByRole('button', { name: 'Add variable' }).click()
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Deployment', exact: true })).toBeVisible()
  expect(await complaints()).toEqual([])
  await page.getByRole('button', { name: 'Edit Site' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Site' })
  await expect(form.getByLabel('Site name')).toHaveValue(site.site_name)
  await form.getByRole('combobox', { name: 'Customer' }).click()
  await expect(page.getByRole('option').first()).toBeVisible()
  expect(await complaints()).toEqual([])
})

test('opens, walks and closes with the keyboard alone', async ({ page }) => {
  const site = await added()
  await signIn(page, `/admin/sites?search=${site.domain}`)
  await page.getByRole('link', { name: new RegExp(site.site_name) }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: site.site_name })).toBeVisible()
  await dialog.getByRole('tab', { name: 'Overview' }).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('No environment variables yet.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect(new URL(page.url()).searchParams.get('open')).toBeNull()
})

test('deletes a site after the specified question', async ({ page }) => {
  const site = await added()
  await signIn(page, `/admin/sites?search=${site.domain}`)
  await choose(page, site.site_name, 'Delete Site')
  const dialog = page.getByRole('alertdialog', { name: `Are you sure you want to delete ${site.site_name}?` })
  await expect(dialog.getByRole('listitem').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete site' }).click()
  await expect(page.getByText(`Deleted ${site.site_name}`)).toBeVisible()
  await expect(page.getByText('No sites match your filters')).toBeVisible()
  expect((await api<{ sites: Site[] }>(`/sites?search=${site.domain}`)).sites).toEqual([])
  expect(await auditActions(site.id)).toContain('site.delete')
})

test('imports what an older console left in the browser, once', async ({ page }) => {
  const name = unique()
  const old = [
    { id: '1', site_name: `Old ${name}`, domain: `old-${name}.example`, status: 'active' },
    { id: '2', site_name: 'Twice', domain: `OLD-${name}.example` },
  ]
  await signIn(page, '/admin/sites')
  await page.evaluate((text) => localStorage.setItem('sites', text), JSON.stringify(old))
  await page.reload()
  await expect(page.getByText('Found 2 sites from an older console in this browser.')).toBeVisible()
  await page.getByRole('button', { name: 'Review' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(`Old ${name}`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Import 1 site' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Imported 1 site' })).toBeVisible()
  const { sites } = await api<{ sites: Site[] }>(`/sites?search=old-${name}.example`)
  expect(sites).toMatchObject([{ site_name: `Old ${name}`, domain: `old-${name}.example` }])
  const [entry] = await auditOf('action=sites.import&limit=1')
  expect(JSON.stringify(entry?.after)).toContain(`old-${name}.example`)
  await page.reload()
  await expect(page.getByRole('table', { name: 'Sites' })).toBeVisible()
  await expect(page.getByText(/of an older console/)).toBeHidden()
})

test('exports what the filters leave, hostile text as text', async ({ page }) => {
  const site = await added({ site_name: `=cmd|' /C calc'!A0 ${unique()}` })
  await signIn(page, `/admin/sites?search=${site.domain}`)
  await expect(page.getByText(site.site_name).first()).toBeVisible()
  const download = await exportAs(page, 'CSV')
  const text = await new Response((await download.createReadStream()) as never).text()
  const [, row, ...others] = text.trim().split('\n')
  expect(row).toContain(site.domain)
  expect(row).toMatch(/(^|,)"?'=cmd/)
  expect(others).toEqual([])
  await expect
    .poll(async () => JSON.stringify((await auditOf('action=export.create&limit=1'))[0]?.after))
    .toContain(site.domain)
})

test('without the permission the controls say which one is missing', async ({ page }) => {
  const site = await added()
  await openSession(page)
  await page.route('**/api/auth/session', async (route) => {
    const response = await route.fetch()
    const state = await response.json()
    state.actor.permissions = ['sites.read']
    await route.fulfill({ response, json: state })
  })
  await page.goto(`${consoleUrl()}/admin/sites?search=${site.domain}`)
  await expect(page.getByRole('button', { name: 'Add Site' })).toBeDisabled()
  await page.getByRole('button', { name: `Actions for ${site.site_name}` }).click()
  const redeploy = page.getByRole('menuitem', { name: /Redeploy/ })
  await expect(redeploy).toContainText('Needs the permission sites.deploy')
  await expect(page.getByRole('menuitem', { name: /Delete Site/ })).toContainText('Needs the permission sites.write')
})
