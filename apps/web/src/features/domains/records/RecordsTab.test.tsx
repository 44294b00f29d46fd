import * as dnsRecords from '@agency/contract/descriptors/dns-records'
import type { DnsRecord, Permission, RecordChange } from '@agency/contract/types'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../../test/render.tsx'
import { saveText } from '../../../lib/download.ts'
import { RecordsTab } from './RecordsTab.tsx'

vi.mock('../../../lib/download.ts', () => ({ saveText: vi.fn() }))

const domain = 'harbour.example'
const at = '2026-11-21T10:00:00Z'

const aRecord = (part: Partial<DnsRecord> = {}): DnsRecord => ({
  ...{ id: 'r1', type: 'A', name: `www.${domain}`, content: '198.51.100.7', ttl: 1, proxied: true },
  ...{ priority: null, comment: null, data: null },
  ...part,
})
const mx = aRecord({
  id: 'r2',
  type: 'MX',
  name: domain,
  content: 'mx.example',
  priority: 10,
  proxied: false,
  ttl: 300,
})

type Handlers = Parameters<typeof mockApi<typeof dnsRecords>>[1]
type Options = { records?: () => DnsRecord[]; last?: RecordChange | null; handlers?: Handlers; without?: Permission }

function open({ records = () => [aRecord(), mx], last = null, handlers = {}, without }: Options = {}) {
  const api = mockApi(dnsRecords, {
    listDomainRecords: () => ({
      ...{ records: records(), total: records().length, has_more: false, fetched_at: at, last_change: last },
    }),
    previewRecord: () => ({
      sites: [{ id: 'site_1', site_name: 'Acadia Kayak Tours', customer_name: null }],
      sites_total: 2,
      mail: [{ domain, reason: 'mx' }],
      orphaned: null,
    }),
    ...handlers,
  })
  const session = testSession(allPermissions.filter((permission) => permission !== without))
  return { api, ...renderPage(<RecordsTab id="zone_1" domain={domain} />, { session }) }
}

const done = (record: DnsRecord | null) => () => ({ change_id: 'dns_1', record, undo_until: '2026-11-21T11:00:00Z' })
const choose = async (label: RegExp, entry: string) => {
  fireEvent.click(await screen.findByRole('button', { name: label }))
  fireEvent.click(within(await screen.findByRole('menu')).getByText(entry))
}
const type = (dialog: HTMLElement, label: string, text: string) =>
  fireEvent.change(within(dialog).getByLabelText(label), { target: { value: text } })
const sentTo = (api: ReturnType<typeof open>['api'], name: string) => api.calls().filter((call) => call.name === name)

test('records are named as they stand within the domain, their whole name at hand', async () => {
  open({
    records: () => [domain, `www.${domain}`, 'elsewhere.example'].map((name) => aRecord({ name, id: name })),
  })
  const table = await screen.findByRole('region', { name: 'DNS records' })
  await within(table).findByText('@')
  const cells = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.children[1] as HTMLElement)
  expect(cells.map((cell) => [cell.textContent, cell.title])).toEqual([
    ['@', domain],
    ['www', `www.${domain}`],
    ['elsewhere.example', 'elsewhere.example'],
  ])
})

test('a record is added with the fields of its type, and its toast undoes it', async () => {
  const added = aRecord({ id: 'r3', type: 'MX', name: domain, content: 'mx2.example', priority: 20 })
  const { api } = open({ handlers: { createRecord: done(added), undoRecordChange: done(null) } })
  fireEvent.click(await screen.findByRole('button', { name: 'Add record' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add DNS record' })
  fireEvent.change(within(dialog).getByLabelText('Type'), { target: { value: 'MX' } })
  expect(within(dialog).queryByRole('switch')).toBeNull()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Add record' }))
  expect(await within(dialog).findByText('Enter a mail server')).toBeTruthy()
  type(dialog, 'Name', '@')
  type(dialog, 'Mail server', 'mx2.example')
  type(dialog, 'Priority', '20')
  expect(await within(dialog).findByText('Mail for harbour.example depends on this record')).toBeTruthy()
  expect(within(dialog).getByText('Acadia Kayak Tours will be served through this record')).toBeTruthy()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Add record' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const [sent] = sentTo(api, 'createRecord')
  expect(sent?.body).toEqual({
    record: { type: 'MX', name: '@', ttl: 1, comment: null, content: 'mx2.example', priority: 20 },
  })
  expect(sent?.headers.get('idempotency-key')).toBeTruthy()
  expect(await screen.findByText('Added the MX record harbour.example')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(sentTo(api, 'undoRecordChange').map(({ body }) => body)).toEqual([{ change_id: 'dns_1' }]))
})

test('a TTL that was chosen elsewhere is shown, and stays as it is', async () => {
  const record = aRecord({ ttl: 900, proxied: false })
  const { api } = open({ records: () => [record], handlers: { updateRecord: done(record) } })
  await choose(/^Actions for/, 'Edit')
  const dialog = await screen.findByRole('dialog', { name: 'Edit A record' })
  expect(within(dialog).getByDisplayValue('900 seconds')).toBeTruthy()
  type(dialog, 'Comment', 'office')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sentTo(api, 'updateRecord')).toHaveLength(1))
  expect(sentTo(api, 'updateRecord')[0]?.body).toMatchObject({ record: { ttl: 900, comment: 'office' } })
})

test('rows stay when they cannot be read again, and say so', async () => {
  const { client } = open()
  const rows = await screen.findByRole('region', { name: 'DNS records' })
  mockApi(dnsRecords, { listDomainRecords: () => problem(500) })
  await client.invalidateQueries()
  expect(await screen.findByText(/Failed to load the DNS records/)).toBeTruthy()
  expect(within(rows).getByText('198.51.100.7')).toBeTruthy()
})

test('a refusal of the server stands at its field', async () => {
  const detail = 'record.content: must be an IPv4 address'
  open({
    handlers: {
      createRecord: () => problem(400, { code: 'invalid_request', parameter: 'record.content', detail }),
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Add record' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add DNS record' })
  type(dialog, 'Name', 'www')
  type(dialog, 'IPv4 address', '1.2.3')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Add record' }))
  expect(await within(dialog).findByText('must be an IPv4 address')).toBeTruthy()
  expect(within(dialog).getByLabelText('IPv4 address').getAttribute('aria-describedby')).toBeTruthy()
})

test('an edit sends what was seen; after a conflict the newer record comes in below what was typed', async () => {
  const theirs = aRecord({ content: '203.0.113.9', comment: 'theirs' })
  let isChanged = false
  const { api } = open({
    records: () => [isChanged ? theirs : aRecord()],
    handlers: {
      updateRecord: ({ body }) => {
        if (body?.shown.content === '203.0.113.9') return done(theirs)()
        isChanged = true
        return problem(409, {
          code: 'conflict',
          parameter: 'version',
          detail: 'Someone else changed this record.',
        })
      },
    },
  })
  await choose(/^Actions for A www/, 'Edit')
  const dialog = await screen.findByRole('dialog', { name: 'Edit A record' })
  expect(await within(dialog).findByText('Acadia Kayak Tours is served through this record')).toBeTruthy()
  fireEvent.click(within(dialog).getByRole('switch', { name: /^Proxied/ }))
  fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  const alert = await within(dialog).findByText(/Someone else changed this record/)
  expect(alert).toBeTruthy()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Load current state' }))
  await waitFor(() => expect(within(dialog).getByLabelText('IPv4 address')).toHaveProperty('value', '203.0.113.9'))
  fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const [first, second] = sentTo(api, 'updateRecord')
  expect(first?.body).toMatchObject({ shown: { content: '198.51.100.7' }, record: { proxied: false } })
  expect(second?.body).toMatchObject({
    shown: { content: '203.0.113.9', comment: 'theirs' },
    record: { content: '203.0.113.9', comment: 'theirs', proxied: false },
  })
})

test('the proxy is switched from the menu, for addresses and aliases alone', async () => {
  const { api } = open({ handlers: { updateRecord: done(aRecord({ proxied: false })) } })
  fireEvent.click(await screen.findByRole('button', { name: /^Actions for MX/ }))
  const entries = within(await screen.findByRole('menu')).getAllByRole('menuitem')
  expect(entries.map((entry) => entry.textContent)).toEqual(['Edit', 'Delete'])
  fireEvent.keyDown(entries[0]!, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await choose(/^Actions for A www/, 'Switch proxy off')
  expect(await screen.findByText(`Switched the proxy off for the A record www.${domain}`)).toBeTruthy()
  expect(sentTo(api, 'updateRecord')[0]?.body).toMatchObject({
    shown: { proxied: true },
    record: { type: 'A', name: 'www', content: '198.51.100.7', proxied: false },
  })
})

test('a deletion says what it touches first; after a conflict what is there now', async () => {
  let isChanged = false
  open({
    records: () => [isChanged ? aRecord({ content: '203.0.113.9' }) : aRecord()],
    handlers: {
      deleteRecord: ({ body }) => {
        if (body?.shown.content === '203.0.113.9') return done(null)()
        isChanged = true
        return problem(409, {
          code: 'conflict',
          parameter: 'version',
          detail: 'Someone else changed this record.',
        })
      },
    },
  })
  await choose(/^Actions for A www/, 'Delete')
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete DNS record' })
  for (const text of ['Acadia Kayak Tours is served through this record', '(198.51.100.7)'])
    expect(await within(dialog).findByText(text)).toBeTruthy()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete A record' }))
  expect(await within(dialog).findByText('(203.0.113.9)')).toBeTruthy()
  expect(within(dialog).getByRole('alert').textContent).toContain('Someone else changed this record.')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete A record' }))
  expect(await screen.findByText(`Deleted the A record www.${domain}`)).toBeTruthy()
})

test('the last change can be undone for as long as the server says', async () => {
  const last: RecordChange = {
    ...{ id: 'dns_9', kind: 'delete', what: 'the TXT record old.harbour.example', at, by: 'Ada' },
    undo_until: '2026-11-21T11:00:00Z',
  }
  const { api } = open({ last, handlers: { undoRecordChange: done(null) } })
  expect(await screen.findByText('Ada deleted the TXT record old.harbour.example')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(sentTo(api, 'undoRecordChange').map(({ body }) => body)).toEqual([{ change_id: 'dns_9' }]))
  expect(await screen.findByText('Undid the last change')).toBeTruthy()
})

test('without the permission everything stays in sight and says why', async () => {
  open({ without: 'sites.write' })
  const add = await screen.findByRole('button', { name: 'Add record' })
  expect([add.hasAttribute('disabled'), add.getAttribute('aria-description')]).toEqual([
    true,
    expect.stringContaining('sites.write'),
  ])
  fireEvent.click(screen.getByRole('button', { name: /^Actions for A www/ }))
  for (const entry of within(await screen.findByRole('menu')).getAllByRole('menuitem')) {
    expect(entry.getAttribute('aria-disabled')).toBe('true')
    expect(entry.textContent).toContain('sites.write')
  }
})

test('a type that the console does not write says where it is changed', async () => {
  open({ records: () => [aRecord({ type: 'HTTPS', content: '1 . alpn="h3"', proxied: false })] })
  fireEvent.click(await screen.findByRole('button', { name: /^Actions for HTTPS/ }))
  for (const entry of within(await screen.findByRole('menu')).getAllByRole('menuitem'))
    expect(entry.textContent).toContain('Change HTTPS records in Cloudflare')
})

test('all records are saved as a zone file', async () => {
  open({ handlers: { exportZoneFile: () => ({ name: `${domain}.zone`, text: '; records' }) } })
  fireEvent.click(await screen.findByRole('button', { name: 'Export' }))
  await waitFor(() => expect(saveText).toHaveBeenCalledWith(`${domain}.zone`, '; records'))
})

test('of a file without records the step before stays, and says so', async () => {
  open({ handlers: { readZoneFile: () => ({ entries: [] }) } })
  fireEvent.click(await screen.findByRole('button', { name: 'Import' }))
  const dialog = await screen.findByRole('dialog', { name: 'Import zone file' })
  fireEvent.change(within(dialog).getByLabelText('Records'), { target: { value: '; nothing' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Read file' }))
  expect(await within(dialog).findByText('No records in this file')).toBeTruthy()
  expect(within(dialog).getByLabelText('Records')).toHaveProperty('value', '; nothing')
})

test('a zone file is read, shown, and added record by record; what is left out says why', async () => {
  const record = {
    type: 'A',
    name: `shop.${domain}`,
    ttl: 300,
    comment: null,
    content: '203.0.113.7',
    proxied: false,
  } as const
  const { api } = open({
    handlers: {
      readZoneFile: () => ({
        entries: [
          { line: 1, title: `SOA ${domain}`, record: null, detail: 'Cloudflare keeps this record itself' },
          { line: 2, title: `A shop.${domain}`, record, detail: '203.0.113.7, TTL 300 s, DNS only' },
        ],
      }),
      createRecord: done(aRecord()),
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Import' }))
  const dialog = await screen.findByRole('dialog', { name: 'Import zone file' })
  const file = new File(['shop 300 A 203.0.113.7'], 'harbour.zone')
  fireEvent.change(within(dialog).getByLabelText('Zone file'), { target: { files: [file] } })
  await waitFor(() =>
    expect(within(dialog).getByLabelText('Records')).toHaveProperty('value', 'shop 300 A 203.0.113.7'),
  )
  fireEvent.click(within(dialog).getByRole('button', { name: 'Read file' }))

  const bulk = await screen.findByRole('alertdialog', { name: 'Import zone file' })
  expect(within(bulk).getByText('Line 1: Cloudflare keeps this record itself')).toBeTruthy()
  expect(within(bulk).getByText('203.0.113.7, TTL 300 s, DNS only')).toBeTruthy()
  fireEvent.click(within(bulk).getByRole('button', { name: 'Add 1 record' }))
  expect(await within(bulk).findByText(`Added A shop.${domain}`)).toBeTruthy()
  expect(sentTo(api, 'readZoneFile')[0]?.body).toEqual({ text: 'shop 300 A 203.0.113.7' })
  expect(sentTo(api, 'createRecord').map(({ body }) => body)).toEqual([{ record }])
})
