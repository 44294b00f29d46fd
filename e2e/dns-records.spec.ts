import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { auditOf, unique } from './support/sites.ts'
import { api, expect, sandbox, signIn, test } from './support/test.ts'

type Domain = { id: string; name: string; site: { site_name: string } | null }
type DnsRecord = { id: string; type: string; name: string; content: string; proxied: boolean; comment: string | null }

const domainOf = async (): Promise<Domain | undefined> =>
  (await api<{ domains?: Domain[] }>('/cloudflare/domains?limit=100')).domains?.find(({ site }) => site !== null)
const recordsOf = async ({ id }: Domain): Promise<DnsRecord[]> =>
  (await api<{ records: DnsRecord[] }>(`/cloudflare/zones/${id}/records`)).records
const writes = async () =>
  (await sandbox.requests()).filter(({ name, method }) => name?.startsWith('dns.records.') && method !== 'GET')
const table = (page: Page) => page.getByRole('region', { name: 'DNS records' })
const rowOf = (page: Page, text: string) => table(page).getByRole('row').filter({ hasText: text })

async function choose(page: Page, text: string, entry: string): Promise<void> {
  await rowOf(page, text)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

let domain: Domain
test.beforeAll(async () => {
  await expect.poll(async () => (await domainOf())?.id).toBeTruthy()
  domain = (await domainOf())!
})
test.afterEach(() => sandbox.clearFaults())

const open = (page: Page) => signIn(page, `/admin/domains?open=${domain.id}&tab=records`)

test('a record is added, changed and deleted: Cloudflare, the screen and the audit log', async ({ page }) => {
  const host = `t${unique()}`
  const name = `${host}.${domain.name}`
  await open(page)
  await page.getByRole('button', { name: 'Add record' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add DNS record' })
  await dialog.getByLabel('Name').fill(host)
  await dialog.getByLabel('IPv4 address').fill('203.0.113')
  await dialog.getByRole('button', { name: 'Add record' }).click()
  await expect(dialog.getByText('must be an IPv4 address')).toBeVisible()
  await dialog.getByLabel('IPv4 address').fill('203.0.113.7')
  await expect(dialog.getByText('No sites or mail affected')).toBeVisible()
  const before = (await writes()).length
  await dialog.getByRole('button', { name: 'Add record' }).dblclick()
  await expect(page.getByText(`Added the A record ${name}`, { exact: true })).toBeVisible()
  await expect(rowOf(page, host)).toContainText('Proxied')
  expect((await writes()).slice(before)).toMatchObject([
    { name: 'dns.records.create', status: 200, params: { type: 'A', name, content: '203.0.113.7', proxied: true } },
  ])

  await choose(page, host, 'Switch proxy off')
  await expect(rowOf(page, host)).toContainText('DNS only')
  await choose(page, host, 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit A record' })
  await edit.getByLabel('Comment').fill('why')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(rowOf(page, host)).toContainText('why')
  await choose(page, host, 'Delete')
  const confirm = page.getByRole('alertdialog', { name: 'Delete DNS record' })
  await expect(confirm.getByText(`Nothing else answers for ${name}`)).toBeVisible()
  await confirm.getByRole('button', { name: 'Delete A record' }).click()
  await expect(confirm).toBeHidden()
  await expect(rowOf(page, host)).toHaveCount(0)
  expect((await recordsOf(domain)).filter((record) => record.name === name)).toEqual([])
  const entries = (await auditOf(`resource=domain&resource_id=${domain.id}`)).filter(({ after, before: was }) =>
    [after, was].some((facts) => (facts as { name?: string } | null)?.name === name),
  )
  expect(new Set(entries.map(({ action }) => action))).toEqual(
    new Set(['domain.add_record', 'domain.edit_record', 'domain.delete_record']),
  )
})

test('a change is undone from its toast, and what depends on a record is said before', async ({ page }) => {
  await open(page)
  const www = (await recordsOf(domain)).find(({ name, type }) => type === 'CNAME' && name === `www.${domain.name}`)!
  await choose(page, 'CNAME', 'Delete')
  const confirm = page.getByRole('alertdialog', { name: 'Delete DNS record' })
  await expect(confirm.getByText(`${domain.site!.site_name} is served through this record`)).toBeVisible()
  await confirm.getByRole('button', { name: 'Delete CNAME record' }).click()
  await expect(confirm).toBeHidden()
  await expect(rowOf(page, 'CNAME')).toHaveCount(0)
  await page
    .getByRole('group')
    .filter({ hasText: `Deleted the CNAME record ${www.name}` })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(rowOf(page, 'CNAME')).toHaveCount(1)
  expect((await recordsOf(domain)).find(({ name, type }) => type === 'CNAME' && name === www.name)).toMatchObject({
    ...{ content: www.content, proxied: www.proxied, comment: www.comment },
  })
  expect((await auditOf(`resource=domain&resource_id=${domain.id}`))[0]).toMatchObject({ action: 'domain.undo_record' })
})

test('an answer that was lost is found out, and an open screen follows another one', async ({ page, context }) => {
  const host = `t${unique()}`
  const other = await context.newPage()
  await open(page)
  await open(other)
  await expect(rowOf(other, 'CNAME')).toHaveCount(1)
  await sandbox.fault({ provider: 'cloudflare', match: 'dns.records.create', connection: 'lost' })
  await page.getByRole('button', { name: 'Add record' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add DNS record' })
  await dialog.getByLabel('Type').selectOption('TXT')
  await dialog.getByLabel('Name').fill(host)
  await dialog.getByLabel('Text').fill('hello')
  await dialog.getByRole('button', { name: 'Add record' }).click()
  await expect(rowOf(page, host)).toHaveCount(1)
  await expect(rowOf(other, host)).toHaveCount(1)
  expect((await recordsOf(domain)).filter(({ name }) => name.startsWith(host))).toHaveLength(1)
})

test('it is used with the keyboard alone, passes axe and fits a phone', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: 'Add record' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add DNS record' })
  await dialog.getByLabel('Type').selectOption('SRV')
  await expect(dialog.getByLabel('Port')).toBeVisible()
  expect((await axe(page).analyze()).violations).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await rowOf(page, 'CNAME')
    .getByRole('button', { name: /^Actions for/ })
    .focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused()
  await page.keyboard.press('Enter')
  const edit = page.getByRole('dialog', { name: 'Edit CNAME record' })
  await expect(edit.getByText(/is served through this record/)).toBeVisible()
  expect((await axe(page).analyze()).violations).toEqual([])
  await page.keyboard.press('Escape')
  await expect(edit).toBeHidden()
  expect((await axe(page).analyze()).violations).toEqual([])
  await expectToFit(page, [390], 'DNS records')
})

test('all records are exported; a zone file is shown before anything of it is added', async ({ page }) => {
  const name = `import-${unique()}`.toLowerCase()
  await open(page)
  await expect(table(page)).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe(`${domain.name}.zone`)
  const text = await readFile(await saved.path(), 'utf8')
  expect(text).toContain(`$ORIGIN ${domain.name}.`)

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Import zone file' })
  await dialog.getByLabel('Zone file').setInputFiles({
    ...{ name: 'harbour.zone', mimeType: 'text/plain' },
    buffer: Buffer.from(`${text}\n${name} 300 IN TXT "hello ; there"\n${name} A 300.1.2.3\n`),
  })
  await expect(dialog.getByLabel('Records')).toHaveValue(/hello ; there/)
  const before = (await writes()).length
  await dialog.getByRole('button', { name: 'Read file' }).click()
  const adding = page.getByRole('alertdialog', { name: 'Import zone file' })
  await expect(adding.getByText(/: Exists already$/).first()).toBeVisible()
  await expect(adding.getByText(/content must be an IPv4 address/)).toBeVisible()
  expect((await axe(page).analyze()).violations).toEqual([])
  await expectToFit(page, [390], 'the import of a zone file')
  expect(await writes()).toHaveLength(before)
  await adding.getByRole('button', { name: 'Add 1 record' }).click()
  await expect(adding.getByText(`Added TXT ${name}.${domain.name}`)).toBeVisible()
  await adding.getByRole('button', { name: 'Close' }).click()
  await expect(rowOf(page, name)).toContainText('hello ; there')
  expect((await writes()).slice(before).map(({ name: call }) => call)).toEqual(['dns.records.create'])
  const entries = await auditOf(`resource=domain&resource_id=${domain.id}`)
  const added = entries.filter(({ after }) => (after as { name?: string } | null)?.name === `${name}.${domain.name}`)
  expect(new Set(added.map(({ action }) => action))).toEqual(new Set(['domain.add_record']))
})
