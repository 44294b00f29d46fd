import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import {
  alertAfter,
  alertOf,
  auditActions,
  type Incident,
  incidentOf,
  openIncident,
  repairSites,
  watchedSite,
} from './support/monitoring.ts'
import { added, unique } from './support/sites.ts'
import { api, consoleUrl, dataRows, expect, signIn, test } from './support/test.ts'

test.afterEach(repairSites)

const opened = (alertIds: readonly string[] = []): Promise<Incident> =>
  openIncident(`Slow mail ${unique()}`, 'sev3', alertIds)

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More for this incident' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

const timeline = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')

test('an incident is opened by hand, once for a double press, and goes through its states until it is resolved', async ({
  page,
}) => {
  const title = `Slow mail ${unique()}`
  await signIn(page, '/admin/incidents')
  await page.getByRole('button', { name: 'Open incident' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open incident' })
  await dialog.getByRole('button', { name: 'Open incident' }).click()
  await expect(dialog.getByText('Enter a title')).toBeVisible()
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel('Severity').selectOption('sev4')
  await dialog.getByRole('button', { name: 'Open incident' }).dblclick()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1)!
  const { incidents } = await api<{ incidents: Incident[] }>(`/incidents?search=${encodeURIComponent(title)}`)
  expect(incidents).toMatchObject([{ id, severity: 'sev4', status: 'open' }])

  const { number } = await incidentOf(id)
  for (const [button, state] of [
    ['Start investigating', 'Investigating'],
    ['Mark as identified', 'Identified'],
    ['Start monitoring', 'Monitoring'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText(`${state}: INC-${number}`)).toBeVisible()
  }
  await page.getByRole('button', { name: 'Resolve incident' }).click()
  const resolve = page.getByRole('alertdialog', { name: `Resolve INC-${number}` })
  await expect(resolve.getByText('No active alerts.')).toBeVisible()
  await resolve.getByRole('button', { name: 'Resolve incident' }).click()
  await expect(page.getByText(`Resolved: INC-${number}`)).toBeVisible()
  const { events, status } = await incidentOf(id)
  expect([status, ...events.map(({ kind, text }) => `${kind} ${text}`)]).toEqual([
    'resolved',
    `opened ${title}`,
    'status open → investigating',
    'status investigating → identified',
    'status identified → monitoring',
    'resolved monitoring → resolved',
  ])
  await expect(timeline(page)).toHaveCount(5)
  expect(await auditActions('incident', id)).toEqual([
    ...Array.from({ length: 4 }, () => 'incident.update'),
    'incident.open',
  ])
})

test('a note joins the timeline for good, and an empty one is refused', async ({ page }) => {
  const { id, number } = await opened()
  await signIn(page, `/admin/incidents/${id}`)
  const add = page.getByRole('button', { name: 'Add note' })
  await add.click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Enter a note')
  await page.getByLabel('Add a note').fill('Called the host: <b>no answer</b>')
  await add.click()
  await expect(page.getByText(`Note added to INC-${number}`)).toBeVisible()
  await expect(timeline(page)).toHaveCount(2)
  await expect(timeline(page).nth(1)).toContainText('Called the host: <b>no answer</b>')
  await expect(page.getByLabel('Add a note')).toHaveValue('')
})

test('an incident is renamed, marked as a false positive, and the mark is taken back', async ({ page }) => {
  const { id, number, title } = await opened()
  await signIn(page, `/admin/incidents/${id}`)
  await choose(page, 'Edit title or severity')
  const edit = page.getByRole('dialog', { name: 'Edit incident' })
  await edit.getByLabel('Title').fill(`${title} in Maine`)
  await edit.getByLabel('Severity').selectOption('sev2')
  await edit.getByRole('button', { name: 'Save incident' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `INC-${number} · ${title} in Maine` })).toBeVisible()

  await choose(page, 'Mark as false positive')
  const mark = page.getByRole('alertdialog', { name: 'Mark as false positive' })
  await mark.getByRole('button', { name: 'Mark as false positive' }).click()
  await expect(page.getByText(`False positive: INC-${number}`)).toBeVisible()
  expect(await incidentOf(id)).toMatchObject({ is_false_positive: true })
  await choose(page, 'Undo false positive')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo false positive' }).click()
  await expect(page.getByText(`Counts again: INC-${number}`)).toBeVisible()
  expect(await incidentOf(id)).toMatchObject({ is_false_positive: false, severity: 'sev2' })
  await expect(timeline(page)).toHaveCount(5)
})

test('an incident is opened from an alert, and resolving it resolves the alert', async ({ page }) => {
  const alert = await alertAfter('camdenplayers', 'failing', 'down')
  await signIn(page, `/admin/alerts?search=${encodeURIComponent(alert.title)}`)
  await page.getByRole('button', { name: `Actions for ${alert.title}` }).click()
  await page.getByRole('menuitem', { name: 'Open incident' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open incident' })
  await expect(dialog.getByLabel('Title')).toHaveValue(alert.title)
  await expect(dialog.getByLabel('Severity')).toHaveValue('sev3')
  await dialog.getByRole('button', { name: 'Open incident' }).click()
  await expect(page.getByRole('heading', { level: 1, name: alert.title })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Alerts · 1 active of 1' })).toContainText(alert.title)
  const id = new URL(page.url()).pathname.split('/').at(-1)!
  const { number } = await incidentOf(id)
  await choose(page, 'Resolve incident')
  const resolve = page.getByRole('alertdialog', { name: `Resolve INC-${number}` })
  await expect(resolve.getByText('Its active alert is resolved too.')).toBeVisible()
  await resolve.getByRole('button', { name: 'Resolve incident' }).click()
  await expect(page.getByText(`Resolved: INC-${number}`)).toBeVisible()
  const { status, incident_id, events } = await alertOf(alert.id)
  expect({ status, incident_id }).toEqual({ status: 'resolved', incident_id: id })
  expect(events.at(-1)?.text).toBe(`Resolved with INC-${number}`)
})

test('a post-mortem begins as a draft of the timeline, and what was written stays', async ({ page }) => {
  const { id, number, title } = await opened()
  await signIn(page, `/admin/incidents/${id}?tab=postmortem`)
  const text = page.getByRole('textbox', { name: 'Text of the post-mortem' })
  await expect(text).toHaveValue(new RegExp(title))
  await expect(page.getByText('Draft', { exact: true })).toBeVisible()
  const draft = await text.inputValue()
  await text.fill(`${draft}\n\n## What we learnt\n\nAsk earlier.\n`)
  await expect(page.getByText('Not saved', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Save post-mortem' }).click()
  await expect(page.getByText(`Saved the post-mortem of INC-${number}`)).toBeVisible()
  await expect(page.getByText('Draft', { exact: true })).toHaveCount(0)
  await page.reload()
  await expect(text).toHaveValue(`${draft}\n\n## What we learnt\n\nAsk earlier.\n`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download .md' }).click()
  expect((await download).suggestedFilename()).toBe(`INC-${number}-post-mortem.md`)
  expect(await auditActions('incident', id)).toEqual(['incident.save_postmortem', 'incident.open'])
})

test('the list finds an incident by its title, and a row opens by keyboard', async ({ page }) => {
  const { id, title } = await opened()
  await signIn(page, '/admin/incidents')
  await page.getByRole('searchbox', { name: 'Search incidents' }).fill(title)
  await expect(page).toHaveURL(/search=/)
  await expect(dataRows(page)).toHaveCount(1)
  await dataRows(page).getByRole('link', { name: title }).press('Enter')
  await expect(page).toHaveURL(`${consoleUrl()}/admin/incidents/${id}`)
})

test('an incident with its alert and its post-mortem passes axe and fits a phone', { tag: '@long' }, async ({
  page,
}) => {
  const { id: alertId } = await alertAfter('damariscottaoysters', 'redirect_loop', 'down')
  const { id } = await opened([alertId])
  await signIn(page, '/admin/incidents')
  for (const path of [`/admin/incidents/${id}`, `/admin/incidents/${id}?tab=postmortem`, '/admin/incidents?act=open']) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${consoleUrl()}${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[aria-busy="true"]'), path).toHaveCount(0)
    expect((await axe(page).analyze()).violations, path).toEqual([])
    await expectToFit(page, [320, 390], path)
  }
})

type Deployment = { id: string; status: string; kind: string; build_id: string | null }

const deploymentsOf = async (site: string) =>
  (await api<{ deployments: Deployment[] }>(`/deployments?site=${site}`)).deployments

/** Deploys a site and answers the build that it then serves. */
async function deployed(site: string): Promise<string> {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const init = { method: 'POST', headers, body: JSON.stringify({ kind: 'deploy' }) }
  const { id } = (await api<{ deployment: Deployment }>(`/sites/${site}/deployments`, init)).deployment
  const details = async () => (await api<{ deployment: Deployment }>(`/deployments/${id}`)).deployment
  await expect.poll(async () => (await details()).status).toBe('success')
  return (await details()).build_id!
}

/** Changes that have nothing to do with the incident. */
async function changeOthers(times: number): Promise<void> {
  const { id } = await added()
  for (let version = 1; version <= times; version++)
    await api(`/sites/${id}`, { method: 'PATCH', body: JSON.stringify({ version, site_name: `Guest ${unique()}` }) })
  expect((await auditActions('site', id)).filter((action) => action === 'site.update')).toHaveLength(times)
}

test('the deployment that broke a site ranks first among twenty changes; rolled back, the site and the incident recover', {
  tag: '@long',
}, async ({ page }) => {
  const label = 'katahdinclimbing'
  const site = await watchedSite(label)
  await expect.poll(async () => (await deploymentsOf(site.id)).length).toBeGreaterThan(0)
  const build = await deployed(site.id)
  await changeOthers(19)
  const { id: alertId } = await alertAfter(label, 'failing', 'down', build)
  await expect.poll(async () => (await alertOf(alertId)).incident_id).not.toBeNull()
  const incidentId = (await alertOf(alertId)).incident_id!

  await signIn(page, `/admin/incidents/${incidentId}`)
  const causes = page.getByRole('list', { name: 'Possible causes' }).getByRole('listitem')
  await expect(causes).toHaveCount(20)
  await expect(causes.first()).toContainText('Deployed')
  await expect(causes.first()).toContainText(site.site_name)
  await causes
    .first()
    .getByRole('button', { name: /^Roll back to / })
    .click()
  const dialog = page.getByRole('alertdialog', { name: 'Roll back site' })
  await dialog.getByRole('button', { name: /^Roll back to / }).click()
  await expect(page.getByText(new RegExp(`^Rolling back ${site.site_name} to `))).toBeVisible()

  await expect.poll(async () => (await incidentOf(incidentId)).status).toBe('resolved')
  expect((await watchedSite(label)).health_status).toBe('healthy')
  expect((await alertOf(alertId)).status).toBe('resolved')
  const rollback = (await deploymentsOf(site.id)).find(({ kind }) => kind === 'rollback')
  expect(rollback).toMatchObject({ status: 'success' })
  await expect(timeline(page).filter({ hasText: 'All alerts have ended' })).toHaveCount(1)
})
