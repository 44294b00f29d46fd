import type { Page } from '@playwright/test'
import { auditDetails, callsFromNow, loseAtCloudflare } from './support/outcomes.ts'
import { unique } from './support/sites.ts'
import { api, expect, sandbox, signIn, test } from './support/test.ts'

type Zone = { id: string; name: string; paused: boolean }
type DnsRecord = { type: string; name: string; content: string; proxied: boolean; comment: string | null }

const newName = () => `zz-outcome-${unique()}.example`
const post = <T>(path: string, body: object): Promise<T> => api<T>(path, { method: 'POST', body: JSON.stringify(body) })
const addZone = async () => (await post<{ zone: Zone }>('/cloudflare/zones', { name: newName() })).zone
const listed = async (name: string) =>
  (await api<{ domains: Zone[] }>(`/cloudflare/domains?limit=100&search=${name}`)).domains
const recordsOf = async ({ id }: Zone) =>
  (await api<{ records: DnsRecord[] }>(`/cloudflare/zones/${id}/records`)).records
const audited = ({ id }: Zone) => auditDetails('domain', id)

/** One with the address `shop`, that nobody else changes. */
async function addZoneWithRecord(): Promise<Zone> {
  const zone = await addZone()
  const record = { type: 'A', name: 'shop', content: '203.0.113.7', ttl: 300, proxied: true }
  await post(`/cloudflare/zones/${zone.id}/records`, { record })
  return zone
}

async function settingsOf({ id }: Zone): Promise<Record<string, string>> {
  const { settings } = await api<{ settings: { name: string; value: string }[] }>(`/cloudflare/zones/${id}/settings`)
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]))
}

const refuse = (match: string, effect: object = { status: 403 }) =>
  sandbox.fault({ provider: 'cloudflare', match, ...effect })

const openTab = (page: Page, { id }: Zone, tab: 'records' | 'settings') =>
  signIn(page, `/admin/domains?open=${id}&tab=${tab}`)
const rowOf = (page: Page, text: string) =>
  page.getByRole('region', { name: 'DNS records' }).getByRole('row').filter({ hasText: text })
const settingOf = (page: Page, label: string) =>
  page.getByRole('table', { name: 'Settings at Cloudflare' }).getByRole('row', { name: new RegExp(`^${label}`) })
const undoOf = (page: Page, change: string) =>
  page.getByRole('paragraph').filter({ hasText: change }).getByRole('button', { name: 'Undo' })

async function openMenu(page: Page, text: string) {
  await rowOf(page, text)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  return page.getByRole('menu')
}

async function edit(page: Page, text: string, address: string) {
  await (await openMenu(page, text)).getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit A record' })
  await dialog.getByLabel('IPv4 address').fill(address)
  return dialog
}

async function change(page: Page, label: string, value?: string) {
  await page.getByRole('button', { name: `Change ${label}` }).click()
  const dialog = page.getByRole('alertdialog')
  if (value !== undefined) await dialog.getByLabel(label).selectOption(value)
  return dialog
}

test.afterEach(() => sandbox.clearFaults())

test('a record whose answers were lost is changed, switched, undone and deleted once each, for a double press', async ({
  page,
}) => {
  const zone = await addZoneWithRecord()
  const name = `shop.${zone.name}`
  await openTab(page, zone, 'records')
  const edits = await callsFromNow('dns.records.edit')

  const dialog = await edit(page, 'shop', '203.0.113.8')
  await loseAtCloudflare('dns.records.edit')
  await dialog.getByRole('button', { name: 'Save' }).dblclick()
  await expect(page.getByText(`Changed the A record ${name}`, { exact: true })).toBeVisible()
  await expect(rowOf(page, 'shop')).toContainText('203.0.113.8')
  expect(await recordsOf(zone)).toMatchObject([{ name, content: '203.0.113.8', proxied: true }])
  expect(await edits()).toHaveLength(1)
  expect((await audited(zone))[0]).toBe(`Changed the A record ${name}`)

  await loseAtCloudflare('dns.records.edit')
  await (await openMenu(page, 'shop')).getByRole('menuitem', { name: 'Switch proxy off' }).dblclick()
  await expect(page.getByText(`Switched the proxy off for the A record ${name}`)).toBeVisible()
  await expect(rowOf(page, 'shop')).toContainText('DNS only')
  expect(await recordsOf(zone)).toMatchObject([{ name, proxied: false }])
  expect(await edits()).toHaveLength(2)

  await loseAtCloudflare('dns.records.edit')
  await undoOf(page, `changed the A record ${name}`).dblclick()
  await expect(page.getByText('Undid the last change', { exact: true })).toBeVisible()
  await expect(rowOf(page, 'shop')).toContainText('Proxied')
  expect(await recordsOf(zone)).toMatchObject([{ name, content: '203.0.113.8', proxied: true }])
  expect(await edits()).toHaveLength(3)
  expect((await audited(zone))[0]).toBe(`Undid the last change of the A record ${name}`)

  const deletions = await callsFromNow('dns.records.delete')
  await (await openMenu(page, 'shop')).getByRole('menuitem', { name: 'Delete' }).click()
  await loseAtCloudflare('dns.records.delete')
  await page
    .getByRole('alertdialog', { name: 'Delete DNS record' })
    .getByRole('button', { name: 'Delete A record' })
    .dblclick()
  await expect(page.getByText(`Deleted the A record ${name}`, { exact: true })).toBeVisible()
  await expect(page.getByText('This domain has no DNS records.')).toBeVisible()
  expect(await recordsOf(zone)).toEqual([])
  expect(await deletions()).toHaveLength(1)
  expect((await audited(zone))[0]).toBe(`Deleted the A record ${name}`)
})

test('a zone file whose answers were lost is imported once, and what Cloudflare refused of it is tried again', async ({
  page,
}) => {
  const zone = await addZone()
  await openTab(page, zone, 'records')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Import zone file' })
  await dialog.getByLabel('Records').fill('one 300 IN A 203.0.113.1\ntwo 300 IN A 203.0.113.2\n')
  await dialog.getByRole('button', { name: 'Read file' }).click()
  const adding = page.getByRole('alertdialog', { name: 'Import zone file' })
  const creations = await callsFromNow('dns.records.create')
  await loseAtCloudflare('dns.records.create')
  await refuse('dns.records.create', { status: 400, message: 'Record quota exceeded.' })
  await adding.getByRole('button', { name: 'Add 2 records' }).dblclick()
  await expect(adding.getByText('1 of 2 done, 1 failed')).toBeVisible()
  await expect(adding.getByText('Record quota exceeded.')).toBeVisible()
  const [first] = await recordsOf(zone)
  await expect(adding.getByText(`Added A ${first?.name}`)).toBeVisible()
  expect(await recordsOf(zone)).toHaveLength(1)
  await adding.getByRole('button', { name: 'Try 1 again' }).dblclick()
  await expect(adding.getByText('2 of 2 done')).toBeVisible()
  await adding.getByRole('button', { name: 'Close' }).click()
  for (const [host, address] of [
    ['one', '203.0.113.1'],
    ['two', '203.0.113.2'],
  ] as const) {
    await expect(rowOf(page, host)).toContainText(address)
    expect(await audited(zone)).toContain(`Added the A record ${host}.${zone.name}`)
  }
  expect(await recordsOf(zone)).toHaveLength(2)
  expect(await creations()).toHaveLength(3)
})

test('what Cloudflare refuses of a record is told where it was asked for, and nothing changes', async ({ page }) => {
  const zone = await addZoneWithRecord()
  const name = `shop.${zone.name}`
  const before = await recordsOf(zone)
  await openTab(page, zone, 'records')

  const dialog = await edit(page, 'shop', '203.0.113.8')
  await refuse('dns.records.edit')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('No access: the token lacks DNS:Edit')).toBeVisible()
  expect(await recordsOf(zone)).toEqual(before)
  expect((await audited(zone))[0]).toBe(`Could not change the A record ${name}`)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await refuse('dns.records.edit', { status: 400, message: 'This record cannot be unproxied.' })
  await (await openMenu(page, 'shop')).getByRole('menuitem', { name: 'Switch proxy off' }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'The proxy could not be switched' })
  await expect(toast).toContainText('This record cannot be unproxied.')
  await expect(rowOf(page, 'shop')).toContainText('Proxied')

  await refuse('dns.records.delete', { status: 400, message: 'This record is read-only.' })
  await (await openMenu(page, 'shop')).getByRole('menuitem', { name: 'Delete' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'Delete DNS record' })
  await confirm.getByRole('button', { name: 'Delete A record' }).click()
  await expect(confirm.getByText('This record is read-only.')).toBeVisible()
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  expect((await audited(zone))[0]).toBe(`Could not delete the A record ${name}`)

  await refuse('dns.records.delete')
  await undoOf(page, `added the A record ${name}`).click()
  const notUndone = page.getByRole('alert').filter({ hasText: 'The change could not be undone' })
  await expect(notUndone).toContainText('No access: the token lacks DNS:Edit')
  await expect(rowOf(page, 'shop')).toContainText('203.0.113.7')
  expect(await recordsOf(zone)).toEqual(before)
})

test('what can be read at Cloudflare only later is told as unknown, and a second press finds it made', async ({
  page,
}) => {
  const zone = await addZoneWithRecord()
  await openTab(page, zone, 'records')
  const edits = await callsFromNow('dns.records.edit')
  const dialog = await edit(page, 'shop', '203.0.113.8')
  await loseAtCloudflare('dns.records.edit')
  // The look before the change is the first one.
  await refuse('dns.records.get', { delayMs: 0 })
  await refuse('dns.records.get', { connection: 'destroy', times: null })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText(/Outcome unknown; trying again is safe/)).toBeVisible()
  expect((await audited(zone))[0]).toBe(`Tried to change the A record shop.${zone.name}; outcome unknown`)
  await sandbox.clearFaults()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`Changed the A record shop.${zone.name}`, { exact: true })).toBeVisible()
  await expect(rowOf(page, 'shop')).toContainText('203.0.113.8')
  expect(await edits()).toHaveLength(1)
  expect((await audited(zone))[0]).toBe(`Changed the A record shop.${zone.name}`)
})

test('settings whose answers were lost are changed once each for a double press, and undone', async ({ page }) => {
  const zone = await addZone()
  await openTab(page, zone, 'settings')
  const pauses = await callsFromNow('zones.edit')
  const pause = await change(page, 'Cloudflare status')
  await loseAtCloudflare('zones.edit')
  await pause.getByRole('button', { name: 'Pause Cloudflare' }).dblclick()
  await expect(page.getByText('Cloudflare status is Paused')).toBeVisible()
  await expect(settingOf(page, 'Cloudflare status')).toContainText('Paused')
  expect(await settingsOf(zone)).toMatchObject({ paused: 'on' })
  expect(await listed(zone.name)).toMatchObject([{ paused: true }])
  expect(await pauses()).toHaveLength(1)

  await loseAtCloudflare('zones.edit')
  await undoOf(page, `of ${zone.name}`).dblclick()
  await expect(page.getByText('Undid the last change', { exact: true })).toBeVisible()
  await expect(settingOf(page, 'Cloudflare status')).toContainText('Active')
  expect(await listed(zone.name)).toMatchObject([{ paused: false }])
  expect(await pauses()).toHaveLength(2)

  const edits = await callsFromNow('zones.settings.edit')
  for (const { label, value, button, shown } of [
    { label: 'SSL mode', value: 'strict', button: 'Set to Full (strict)', shown: 'Full (strict)' },
    { label: 'HTTPS redirect', value: undefined, button: 'Turn on redirect', shown: 'On' },
  ]) {
    const dialog = await change(page, label, value)
    await loseAtCloudflare('zones.settings.edit')
    await dialog.getByRole('button', { name: button }).dblclick()
    await expect(page.getByText(`${label} is ${shown}`)).toBeVisible()
    await expect(settingOf(page, label)).toContainText(shown)
  }
  const tls = await change(page, 'Minimum TLS version', '1.2')
  await tls.getByRole('button', { name: 'Set to TLS 1.2' }).dblclick()
  await expect(page.getByText('Minimum TLS version is TLS 1.2')).toBeVisible()
  expect(await edits()).toHaveLength(3)
  expect(await settingsOf(zone)).toEqual({
    ...{ paused: 'off', ssl: 'strict', always_use_https: 'on', min_tls_version: '1.2' },
  })
  expect(await audited(zone)).toEqual(
    expect.arrayContaining([
      `Changed the Cloudflare status of ${zone.name}`,
      `Undid the last change of the Cloudflare status of ${zone.name}`,
      `Changed the SSL mode of ${zone.name}`,
      `Changed the HTTPS redirect of ${zone.name}`,
      `Changed the minimum TLS version of ${zone.name}`,
    ]),
  )
})

test('a setting that Cloudflare refuses is told in its dialog, and stays as it was', { tag: '@long' }, async ({
  page,
}) => {
  const zone = await addZone()
  const before = await settingsOf(zone)
  await openTab(page, zone, 'settings')
  const pause = await change(page, 'Cloudflare status')
  await refuse('zones.edit')
  await pause.getByRole('button', { name: 'Pause Cloudflare' }).click()
  await expect(pause.getByText('No access: the token lacks Zone:Edit')).toBeVisible()
  await pause.getByRole('button', { name: 'Cancel' }).click()
  await expect(settingOf(page, 'Cloudflare status')).toContainText('Active')
  for (const [label, value, button] of [
    ['SSL mode', 'flexible', 'Set to Flexible'],
    ['HTTPS redirect', undefined, 'Turn on redirect'],
    ['Minimum TLS version', '1.3', 'Set to TLS 1.3'],
  ] as const) {
    const dialog = await change(page, label, value)
    await refuse('zones.settings.edit', { status: 400, message: 'Not allowed on this plan.' })
    await dialog.getByRole('button', { name: button }).click()
    await expect(dialog.getByText('Not allowed on this plan.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  }
  expect(await settingsOf(zone)).toEqual(before)
  expect(await listed(zone.name)).toMatchObject([{ paused: false }])
  expect((await audited(zone)).filter((sentence) => sentence.startsWith('Could not'))).toEqual([
    `Could not change the minimum TLS version of ${zone.name}`,
    `Could not change the HTTPS redirect of ${zone.name}`,
    `Could not change the SSL mode of ${zone.name}`,
    `Could not change the Cloudflare status of ${zone.name}`,
  ])
})

test('a domain whose answer was lost is added once; one that Cloudflare refuses is told and not added', async ({
  page,
}) => {
  const [name, other] = [newName(), newName()]
  await signIn(page, '/admin/domains')
  await page.getByRole('button', { name: 'Add Domain' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add domain' })
  await dialog.getByLabel('Domain').fill(other)
  await refuse('zones.create')
  await dialog.getByRole('button', { name: 'Add domain' }).click()
  await expect(dialog.getByText('No access: the token lacks Zone:Edit')).toBeVisible()
  expect(await listed(other)).toEqual([])

  await dialog.getByLabel('Domain').fill(name)
  const creations = await callsFromNow('zones.create')
  await loseAtCloudflare('zones.create')
  await dialog.getByRole('button', { name: 'Add domain' }).dblclick()
  const added = page.getByRole('alertdialog', { name: `Added ${name}` })
  await expect(added.getByText(/\.ns\.cloudflare\.com$/)).toHaveCount(2)
  await added.getByRole('button', { name: 'Close' }).click()
  await page.getByLabel('Search domain, status or plan').fill('zz-outcome-')
  await expect(page.getByRole('table', { name: 'Domains' }).getByRole('link', { name })).toBeVisible()
  expect(await creations()).toHaveLength(1)
  const zones = await listed(name)
  expect(zones).toMatchObject([{ name }])
  expect(await audited(zones[0]!)).toEqual([`Added ${name} to Cloudflare`])

  await page.getByRole('button', { name: 'Add Domain' }).click()
  await dialog.getByLabel('Domain').fill(name)
  await dialog.getByRole('button', { name: 'Add domain' }).click()
  await expect(dialog.getByText(`${name} is at Cloudflare already.`)).toBeVisible()
  expect(await creations()).toHaveLength(1)
})
