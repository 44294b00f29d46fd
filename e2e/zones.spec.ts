import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { auditOf, unique } from './support/sites.ts'
import { api, consoleUrl, expect, sandbox, signIn, test } from './support/test.ts'

type Domain = {
  id: string
  name: string
  paused: boolean
  ssl: { value: string | null }
  site: object | null
}
type Setting = { name: string; value: string }

const domainsOf = async (search = '') =>
  (await api<{ domains?: Domain[] }>(`/cloudflare/domains?limit=100&search=${search}`)).domains ?? []
const mine = async () => (await domainsOf()).filter(({ site, paused }) => site !== null && !paused)[1]
const settingsOf = async ({ id }: Domain) =>
  Object.fromEntries(
    (await api<{ settings: Setting[] }>(`/cloudflare/zones/${id}/settings`)).settings.map(({ name, value }) => [
      name,
      value,
    ]),
  )
const rowOf = (page: Page, label: string) =>
  page.getByRole('table', { name: 'Settings at Cloudflare' }).getByRole('row', { name: new RegExp(`^${label}`) })

let domain: Domain
test.beforeAll(async () => {
  await expect.poll(async () => (await mine())?.id).toBeTruthy()
  domain = (await mine())!
})
test.afterEach(() => sandbox.clearFaults())

const open = (page: Page) => signIn(page, `/admin/domains?open=${domain.id}&tab=settings`)

test('Cloudflare is paused and resumed: Cloudflare, the screen, the list and the audit log', async ({ page }) => {
  await open(page)
  await expect(rowOf(page, 'Cloudflare status')).toContainText('Active')
  await page.getByRole('button', { name: 'Change Cloudflare status' }).click()
  const pause = page.getByRole('alertdialog', { name: 'Pause Cloudflare' })
  await expect(pause.getByText('Visitors reach the servers directly, without cache and protection')).toBeVisible()
  await pause.getByRole('button', { name: 'Pause Cloudflare' }).dblclick()
  await expect(rowOf(page, 'Cloudflare status')).toContainText('Paused')
  expect(await settingsOf(domain)).toMatchObject({ paused: 'on' })
  expect((await domainsOf()).find(({ id }) => id === domain.id)?.paused).toBe(true)
  const edits = (await sandbox.requests()).filter(
    ({ name, path }) => name === 'zones.edit' && path.endsWith(`/zones/${domain.id}`),
  )
  expect(edits).toMatchObject([{ status: 200, params: { paused: true } }])
  await page
    .getByRole('group')
    .filter({ hasText: 'Cloudflare status is Paused' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(rowOf(page, 'Cloudflare status')).toContainText('Active')
  expect(await settingsOf(domain)).toMatchObject({ paused: 'off' })
  const actions = (await auditOf(`resource=domain&resource_id=${domain.id}`)).map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['domain.change_setting', 'domain.undo_setting']))
})

test('a lost answer is found out', async ({ page }) => {
  const before = (await settingsOf(domain))['min_tls_version']
  const wanted = before === '1.2' ? '1.3' : '1.2'
  await open(page)
  await sandbox.fault({ provider: 'cloudflare', match: 'zones.settings.edit', connection: 'lost' })
  await page.getByRole('button', { name: 'Change Minimum TLS version' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Change Minimum TLS version' })
  await dialog.getByLabel('Minimum TLS version').selectOption(wanted)
  await dialog.getByRole('button', { name: `Set to TLS ${wanted}` }).click()
  await expect(dialog).toBeHidden()
  await expect(rowOf(page, 'Minimum TLS version')).toContainText(`TLS ${wanted}`)
  expect(await settingsOf(domain)).toMatchObject({ min_tls_version: wanted })
})

test('a domain is added, told its name servers, looked for and found: Cloudflare, the screens and the audit log', async ({
  page,
}) => {
  const name = `t${unique()}.example`.toLowerCase()
  await signIn(page, '/admin/domains')
  await page.getByRole('button', { name: 'Add Domain' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add domain' })
  await dialog.getByLabel('Domain').fill('harbour')
  await dialog.getByRole('button', { name: 'Add domain' }).click()
  await expect(dialog.getByText('must be a domain such as harbour.example')).toBeVisible()
  await dialog.getByLabel('Domain').fill(name)
  await dialog.getByRole('button', { name: 'Add domain' }).dblclick()
  const added = page.getByRole('alertdialog', { name: `Added ${name}` })
  await expect(added).toBeVisible()
  const zone = (await domainsOf(name))[0]
  const { domain: whole } = await api<{ domain: { name_servers: string[] } }>(`/cloudflare/domains/${zone?.id}`)
  expect(whole.name_servers).toHaveLength(2)
  for (const server of whole.name_servers) await expect(added.getByText(server)).toBeVisible()
  expect((await axe(page).analyze()).violations).toEqual([])
  const creates = (await sandbox.requests()).filter(
    ({ name: call, params }) => call === 'zones.create' && params['name'] === name,
  )
  expect(creates).toHaveLength(1)
  expect((await auditOf(`resource=domain&resource_id=${zone?.id}`)).map(({ action }) => action)).toEqual(['domain.add'])

  await page.goto(`${consoleUrl()}/admin/domains?open=${zone?.id}`)
  const details = page.getByRole('dialog', { name })
  await expect(details.getByText('Not set yet')).toBeVisible()
  await details.getByRole('button', { name: 'Check now' }).click()
  await expect(details.getByText('Cloudflare is looking. The status changes here when it finds them.')).toBeVisible()
  await sandbox.scenario('change_zone', { zone: name, status: 'active' })
  await details.getByRole('button', { name: 'Check now' }).click()
  await expect(details.getByText('As expected')).toBeVisible()
})

test('it is used with the keyboard alone, passes axe and fits a phone', async ({ page }) => {
  await open(page)
  const change = page.getByRole('button', { name: 'Change SSL mode' })
  await change.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Change SSL mode' })
  await expect(dialog).toBeVisible()
  expect((await axe(page).analyze()).violations).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(change).toBeFocused()
  expect((await axe(page).analyze()).violations).toEqual([])
  await expectToFit(page, [390], 'Settings of a domain')
})
