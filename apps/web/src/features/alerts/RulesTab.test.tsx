import * as alerts from '@agency/contract/descriptors/alerts'
import type { AlertRule, RuleTrial } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aRule } from '../../../test/alert-fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { AlertsPage } from './AlertsPage.tsx'

const aTrial = (part: Partial<RuleTrial> = {}): RuleTrial => ({
  days: 30,
  fired: 3,
  examples: [
    { from: '2026-11-20T10:00:00Z', until: '2026-11-20T10:12:00Z', subject_name: 'Storage', peak: 97 },
    { from: '2026-11-21T10:00:00Z', until: null, subject_name: 'Backup disk', peak: 93.5 },
  ],
  measured_since: '2026-10-01T00:00:00Z',
  ...part,
})

function mockRules(rules: AlertRule[] = [aRule()], trial = aTrial()) {
  return mockApi(alerts, {
    listAlertRules: () => ({ rules }),
    tryAlertRule: () => ({ trial }),
    updateAlertRule: ({ params }) => ({ rule: rules.find(({ key }) => key === params.key)! }),
  })
}
const open = (rules?: AlertRule[], { trial = aTrial(), open = '', session = testSession() } = {}) => ({
  api: mockRules(rules, trial),
  ...renderPage(<AlertsPage />, { route: `/admin/alerts?tab=rules${open}`, session }),
})
const called = (api: ReturnType<typeof mockRules>, name: string) => api.calls().filter((call) => call.name === name)
const dialogOf = async () => within(await screen.findByRole('dialog', { name: 'Edit rule: Disk almost full' }))
const edit = (rules?: AlertRule[], more = {}) => open(rules, { open: '&open=disk', ...more })

test('lists what is watched with severity, threshold, switch, mute and active alerts', async () => {
  const later = new Date(Date.now() + 86_400_000).toISOString()
  open([
    aRule({ muted_until: later }),
    aRule({ key: 'site_down', name: 'Site down', threshold: null, is_enabled: false, active_alerts: 0 }),
  ])
  const row = within((await screen.findByText('Disk almost full')).closest('tr')!)
  expect(row.getByText('Storage of the console in use')).toBeTruthy()
  expect(row.getByText('90%').getAttribute('title')).toBe('Default: 85%')
  expect(row.getByRole('switch', { name: 'Disk almost full enabled' })).toHaveProperty('checked', true)
  expect(row.getByRole('link', { name: '2' }).getAttribute('href')).toBe('/admin/alerts?rule=disk')
  expect(screen.getByText('2 rules · 1 off · 1 muted')).toBeTruthy()
})

test('the switch changes the rule, and tells when it was refused', async () => {
  const { api, user } = open()
  await user.click(await screen.findByRole('switch', { name: 'Disk almost full enabled' }))
  expect(await screen.findByText('Switched off: Disk almost full')).toBeTruthy()
  expect(called(api, 'updateAlertRule')).toMatchObject([
    { params: { key: 'disk' }, body: { version: 3, is_enabled: false } },
  ])
  mockApi(alerts, { updateAlertRule: () => problem(409, { code: 'conflict', detail: 'It was changed meanwhile' }) })
  await user.click(screen.getByRole('switch', { name: 'Disk almost full enabled' }))
  expect(await screen.findByText('Not changed: Disk almost full')).toBeTruthy()
})

test('saves only what was changed', async () => {
  const { api, user } = edit()
  const dialog = await dialogOf()
  await user.selectOptions(dialog.getByLabelText('Severity'), 'critical')
  await user.click(dialog.getByRole('button', { name: 'Save rule' }))
  expect(await screen.findByText('Saved rule: Disk almost full')).toBeTruthy()
  expect(called(api, 'updateAlertRule')).toMatchObject([{ body: { version: 3, severity: 'critical' } }])
  expect(called(api, 'updateAlertRule')[0]?.body).toEqual({ version: 3, severity: 'critical' })
})

test('without a change nothing is sent', async () => {
  const { api, user } = edit()
  await user.click((await dialogOf()).getByRole('button', { name: 'Save rule' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(called(api, 'updateAlertRule')).toEqual([])
})

test('mutes for a week', async () => {
  const { api, user } = edit()
  const dialog = await dialogOf()
  await user.selectOptions(dialog.getByLabelText('Mute'), '7 days')
  const before = Date.now()
  await user.click(dialog.getByRole('button', { name: 'Save rule' }))
  await screen.findByText('Saved rule: Disk almost full')
  const [{ body }] = called(api, 'updateAlertRule') as unknown as [{ body: { muted_until: string } }]
  expect(Math.round((Date.parse(body.muted_until) - before) / 86_400_000)).toBe(7)
})

test('a threshold beyond the limits is told, and not tried', async () => {
  const { api, user } = edit()
  const dialog = await dialogOf()
  await dialog.findByText('Would have fired 3 times in the last 30 days.')
  const field = dialog.getByLabelText('Threshold (%)')
  await user.clear(field)
  await user.type(field, '100')
  await user.click(dialog.getByRole('button', { name: 'Save rule' }))
  expect(await dialog.findByText('Enter a number from 50 to 99%')).toBeTruthy()
  expect(await dialog.findByText('Enter a threshold to test the rule on past data.')).toBeTruthy()
  expect(called(api, 'updateAlertRule')).toEqual([])
  expect(called(api, 'tryAlertRule').map(({ query }) => query)).not.toContainEqual({ threshold: '100' })
})

test('what is typed is tried on the past, with examples', async () => {
  const { api, user } = edit()
  const dialog = await dialogOf()
  const trial = within(dialog.getByRole('status', { name: 'Test on past data' }))
  expect(await trial.findByText('Would have fired 3 times in the last 30 days.')).toBeTruthy()
  const examples = within(trial.getByRole('list', { name: 'Examples' })).getAllByRole('listitem')
  expect(examples[0]?.textContent).toMatch(/^Storage, up to 97%.*for 12 min$/)
  expect(examples[1]?.textContent).toMatch(/^Backup disk, up to 93.5%.*ongoing$/)
  mockApi(alerts, { tryAlertRule: () => ({ trial: aTrial({ fired: 0, examples: [] }) }) })
  const field = dialog.getByLabelText('Threshold (%)')
  await user.clear(field)
  await user.type(field, '95')
  expect(await trial.findByText('Would not have fired in the last 30 days.')).toBeTruthy()
  expect(called(api, 'tryAlertRule').map(({ query }) => query)).toEqual([{ threshold: '90' }, { threshold: '95' }])
})

test('says when there are not enough measurements yet, and when the trial failed', async () => {
  const first = edit(undefined, { trial: aTrial({ measured_since: null, fired: 0, examples: [] }) })
  expect(await (await dialogOf()).findByText('Not enough measurements yet.')).toBeTruthy()
  first.unmount()
  mockRules()
  mockApi(alerts, { tryAlertRule: () => problem(503, { code: 'unavailable' }) })
  renderPage(<AlertsPage />, { route: '/admin/alerts?tab=rules&open=disk' })
  expect(await (await dialogOf()).findByText('The rule could not be tested on past data.')).toBeTruthy()
})

test('a rule without a figure is not tried', async () => {
  const { api } = edit([aRule({ threshold: null, can_try: false })])
  const dialog = await dialogOf()
  expect(dialog.queryByLabelText(/Threshold/)).toBeNull()
  expect(dialog.queryByRole('status', { name: 'Test on past data' })).toBeNull()
  expect(called(api, 'tryAlertRule')).toEqual([])
})

test('after a conflict the current state is loaded and what was typed stays', async () => {
  const { api, user } = edit()
  const dialog = await dialogOf()
  await user.selectOptions(dialog.getByLabelText('Severity'), 'error')
  mockApi(alerts, {
    updateAlertRule: () =>
      problem(409, { code: 'conflict', parameter: 'version', detail: 'Ada Lovelace changed this rule.' }),
    listAlertRules: () => ({ rules: [aRule({ version: 4, is_enabled: false })] }),
  })
  await user.click(dialog.getByRole('button', { name: 'Save rule' }))
  await user.click(await dialog.findByRole('button', { name: 'Load current state' }))
  await waitFor(() => expect(dialog.getByRole('switch', { name: 'Enabled' })).toHaveProperty('checked', false))
  expect(dialog.getByLabelText<HTMLSelectElement>('Severity').value).toBe('error')
  mockApi(alerts, { updateAlertRule: () => ({ rule: aRule() }) })
  await user.click(dialog.getByRole('button', { name: 'Save rule' }))
  await screen.findByText('Saved rule: Disk almost full')
  expect(called(api, 'updateAlertRule').at(-1)?.body).toEqual({ version: 4, severity: 'error' })
})

test('whoever may not change rules sees which permission is missing', async () => {
  const { user } = edit(undefined, { session: testSession(['sites.read']) })
  const toggle = await screen.findByRole('switch', { name: 'Disk almost full enabled' })
  expect(toggle).toHaveProperty('disabled', true)
  expect(toggle.getAttribute('aria-description')).toBe('Needs the permission admin.system')
  expect(screen.queryByRole('link', { name: /Disk almost full/ })).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Actions for Disk almost full' }))
  expect((await screen.findByRole('menuitem', { name: /^Edit rule/ })).textContent).toMatch(/admin\.system/)
})

test('an unknown rule in the address is told so', async () => {
  open(undefined, { open: '&open=nope' })
  expect(await screen.findByRole('dialog', { name: 'Rule not found' })).toBeTruthy()
})
