import * as dnsRecords from '@agency/contract/descriptors/dns-records'
import * as zoneSettings from '@agency/contract/descriptors/zone-settings'
import type { Permission, RecordChange, ZoneSetting } from '@agency/contract/types'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../../test/render.tsx'
import { ZoneSettingsTab } from './ZoneSettingsTab.tsx'

const at = '2026-11-21T10:00:00Z'
const initial: ZoneSetting[] = [
  { name: 'paused', value: 'off', problem: null },
  { name: 'ssl', value: 'full', problem: null },
  { name: 'always_use_https', value: 'on', problem: null },
  { name: 'min_tls_version', value: '1.0', problem: null },
]
const done = () => ({ change_id: 'dns_1', record: null, undo_until: '2026-11-21T11:00:00Z' })

type Handlers = Parameters<typeof mockApi<typeof zoneSettings & typeof dnsRecords>>[1]
type Options = {
  settings?: () => ZoneSetting[]
  sites?: { id: string; site_name: string }[]
  last?: RecordChange | null
  handlers?: Handlers
  without?: Permission
}

function open({ settings = () => initial, sites = [], last = null, handlers = {}, without }: Options = {}) {
  const api = mockApi(
    { ...zoneSettings, ...dnsRecords },
    {
      listZoneSettings: () => ({
        settings: settings(),
        sites,
        sites_total: sites.length,
        fetched_at: at,
        last_change: last,
      }),
      ...handlers,
    },
  )
  const session = testSession(allPermissions.filter((permission) => permission !== without))
  return { api, ...renderPage(<ZoneSettingsTab id="zone_1" />, { session }) }
}

const rowOf = async (label: string) => screen.findByRole('row', { name: new RegExp(`^${label}`) })
async function change(label: string) {
  fireEvent.click(await screen.findByRole('button', { name: `Change ${label}` }))
  return screen.findByRole('alertdialog')
}
const sent = (api: ReturnType<typeof open>['api']) => api.calls().filter(({ name }) => name === 'changeZoneSetting')

test('each setting stands with its value in words, and the last change with its undo', async () => {
  const last: RecordChange = {
    ...{ id: 'dns_1', kind: 'set', what: 'the SSL mode of harbour.example', at, by: 'Ada' },
    undo_until: '2026-11-21T11:00:00Z',
  }
  const { api } = open({ last, handlers: { undoRecordChange: () => ({ ...done(), undo_until: null }) } })
  const words = ['Cloudflare status', 'SSL mode', 'HTTPS redirect', 'Minimum TLS version']
  const values = ['Active', 'Full', 'On', 'TLS 1.0']
  for (const [index, label] of words.entries())
    expect(within(await rowOf(label)).getByText(values[index] ?? '')).toBeTruthy()
  expect(screen.getByText('Ada changed the SSL mode of harbour.example')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undid the last change')).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'undoRecordChange')?.body).toEqual({ change_id: 'dns_1' })
})

test('a value is chosen, its effects are said, and what is sent is what was shown', async () => {
  let ssl = 'full'
  const { api } = open({
    settings: () => initial.map((each) => (each.name === 'ssl' ? { ...each, value: ssl } : each)),
    sites: [{ id: 'site_1', site_name: 'Acadia Kayak Tours' }],
    handlers: {
      changeZoneSetting: () => {
        ssl = 'strict'
        return done()
      },
    },
  })
  const dialog = await change('SSL mode')
  expect(within(dialog).getByText('Now it is Full')).toBeTruthy()
  fireEvent.change(within(dialog).getByLabelText('SSL mode'), { target: { value: 'strict' } })
  expect(within(dialog).getByText('Visitors see error 526 if the server has no valid certificate')).toBeTruthy()
  expect(within(dialog).getByText('Affects Acadia Kayak Tours')).toBeTruthy()
  const button = within(dialog).getByRole('button', { name: 'Set to Full (strict)' })
  fireEvent.click(button)
  fireEvent.click(button)
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(sent(api).map(({ body }) => body)).toEqual([{ name: 'ssl', shown: 'full', value: 'strict' }])
  expect(await screen.findByText('SSL mode is Full (strict)')).toBeTruthy()
  expect(within(await rowOf('SSL mode')).getByText('Full (strict)')).toBeTruthy()
})

test('what is on or off is switched without a choice, and many sites are counted', async () => {
  const sites = Array.from({ length: 7 }, (_, index) => ({ id: `site_${index}`, site_name: `Site ${index + 1}` }))
  const { api } = open({ sites, handlers: { changeZoneSetting: done } })
  const dialog = await change('Cloudflare status')
  expect(within(dialog).queryByRole('combobox')).toBeNull()
  expect(within(dialog).getByText('Affects Site 1, Site 2, Site 3, Site 4, Site 5 and 2 more')).toBeTruthy()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Pause Cloudflare' }))
  await waitFor(() =>
    expect(sent(api).map(({ body }) => body)).toEqual([{ name: 'paused', shown: 'off', value: 'on' }]),
  )
})

test('a value that somebody else set meanwhile is told, and what stands now is changed next', async () => {
  let ssl = 'full'
  const { api } = open({
    settings: () => initial.map((each) => (each.name === 'ssl' ? { ...each, value: ssl } : each)),
    handlers: {
      changeZoneSetting: ({ body }) => {
        if ((body as { shown: string }).shown === ssl) return done()
        return problem(409, {
          detail: 'Someone else changed this setting. You saw: full. Now: flexible.',
          code: 'conflict',
        })
      },
    },
  })
  const dialog = await change('SSL mode')
  fireEvent.change(within(dialog).getByLabelText('SSL mode'), { target: { value: 'strict' } })
  ssl = 'flexible'
  const press = () => fireEvent.click(within(dialog).getByRole('button', { name: 'Set to Full (strict)' }))
  press()
  expect(await within(dialog).findByText(/Someone else changed this setting/)).toBeTruthy()
  expect(await within(dialog).findByText('Now it is Flexible')).toBeTruthy()
  press()
  await waitFor(() => expect(sent(api).at(-1)?.body).toEqual({ name: 'ssl', shown: 'flexible', value: 'strict' }))
})

test('what may not be read or changed says why', async () => {
  const missing = 'No access: the token lacks Zone Settings:Read'
  open({
    settings: () => initial.map((each) => (each.name === 'ssl' ? { ...each, value: null, problem: missing } : each)),
  })
  expect(within(await rowOf('SSL mode')).getByText(missing)).toBeTruthy()
  expect(within(screen.getByTitle('Unknown value')).getByRole('button', { name: 'Change SSL mode' })).toHaveProperty(
    'disabled',
    true,
  )
  expect(screen.getByRole('button', { name: 'Change HTTPS redirect' })).toHaveProperty('disabled', false)
})

test('who may only read changes nothing', async () => {
  const { api } = open({ without: 'sites.write' })
  fireEvent.click(await screen.findByRole('button', { name: 'Change SSL mode' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(sent(api)).toEqual([])
})

test('a failure is said, and tried again', async () => {
  let isDown = true
  open({
    handlers: {
      listZoneSettings: () =>
        isDown
          ? problem(503, { detail: 'Cloudflare does not answer', code: 'provider_unavailable' })
          : { settings: initial, sites: [], sites_total: 0, fetched_at: at, last_change: null },
    },
  })
  expect(await screen.findByText('Cloudflare does not answer')).toBeTruthy()
  isDown = false
  fireEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await rowOf('SSL mode')).toBeTruthy()
})
