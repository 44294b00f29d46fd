import * as alerts from '@agency/contract/descriptors/alerts'
import * as deployments from '@agency/contract/descriptors/deployments'
import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import * as incidents from '@agency/contract/descriptors/incidents'
import * as sites from '@agency/contract/descriptors/sites'
import type { IncidentDetails } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aCause, anIncident, incidentDetailsOf } from '../../../test/alert-fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { IncidentPage } from './IncidentPage.tsx'

const other = anIncident({ id: 'inc_9', number: 9, title: 'Cloudflare is down' })

function mockIncident(incident: IncidentDetails = incidentDetailsOf()) {
  mockApi(alerts, { assignees: () => ({ people: [{ id: 'usr_1', name: 'Ada Lovelace' }] }) })
  return mockApi(incidents, {
    getIncident: ({ params }) => ({ incident: params.id === 'inc_9' ? { ...incident, ...other } : incident }),
    listIncidents: () => ({
      incidents: [other, incident],
      has_more: false,
      total: 2,
      counts: { active: 2, sev1: 0, sev2: 0, sev3: 2, sev4: 0 },
    }),
    updateIncident: () => ({ incident }),
    addIncidentNote: () => ({ event: { id: 'ie_3', at: '2026-11-21T11:00:00Z', kind: 'note', actor: 'Me', text: '' } }),
    mergeIncident: () => ({ incident: other }),
    splitIncident: () => ({ incident: anIncident({ id: 'inc_13', number: 13 }) }),
  })
}
const open = (part: Partial<IncidentDetails> = {}, session = testSession()) => ({
  api: mockIncident(incidentDetailsOf(part)),
  ...renderPage(<IncidentPage />, { route: '/admin/incidents/inc_12', session }),
})
type Api = ReturnType<typeof mockIncident>
const bodies = (api: Api, name: string) =>
  api
    .calls()
    .filter((call) => call.name === name)
    .map(({ body }) => body)
const heading = () => screen.findByRole('heading', { level: 1, name: /^INC-12/ })
async function choose(user: ReturnType<typeof renderPage>['user'], entry: string) {
  await heading()
  await user.click(screen.getByRole('button', { name: 'More for this incident' }))
  await user.click(await screen.findByRole('menuitem', { name: entry }))
}

test('shows the money, whom it concerns, the alerts, and the timeline oldest first', async () => {
  const { api } = open()
  expect((await heading()).textContent).toBe('INC-12 · Harbour Bakery is down')
  const money = within(screen.getByRole('table', { name: 'Revenue at risk' }))
  expect(money.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['$120.00', '$49.00', '$120.00'])
  expect(screen.getByText('1 site · 1 customer · $120.00 a month at risk')).toBeTruthy()
  expect(screen.getByText('1 site · 1 customer')).toBeTruthy()
  const sites = within(screen.getByRole('list', { name: 'Affected sites' })).getAllByRole('listitem')
  expect(sites.map(({ textContent }) => textContent)).toEqual(['Harbour Bakery', 'Cove'])
  const listed = within(screen.getByRole('list', { name: 'Alerts' }))
  expect(listed.getByRole('link', { name: 'Certificate of Cove expired' }).getAttribute('href')).toBe(
    '/admin/alerts?open=al_2',
  )
  const events = within(screen.getByRole('list', { name: 'Timeline' })).getAllByRole('listitem')
  expect(events.map((event) => event.querySelector('p + p')?.textContent)).toEqual([
    'Opened by Site down',
    'Asked the host',
  ])
  expect(api.calls().map(({ name }) => name)).toEqual(['getIncident'])
})

test('what changed before is ranked, with score, distance, person, reasons and link', async () => {
  open({
    changes: [
      aCause(),
      aCause({
        id: 'ca_2',
        title: 'TTL of www changed',
        kind: 'dns',
        score: 20,
        link: null,
        actor: null,
        site_name: null,
      }),
    ],
  })
  await heading()
  const [first, second] = within(screen.getByRole('list', { name: 'Possible causes' })).getAllByRole('listitem')
  expect(within(first!).getByRole('link').getAttribute('href')).toBe('/admin/deployments?open=dep_1')
  expect(first!.textContent).toMatch(/Deployment, 12 min before, by Grace Hopper, Harbour Bakery/)
  expect(first!.textContent).toMatch(/12 minutes before · Same site/)
  expect(first!.textContent).toMatch(/Likelihood 92$/)
  expect(second!.textContent).toMatch(/TTL of www changed.*DNS record.*Likelihood 20$/)
})

test('without money, alerts or changes it says so or leaves it out', async () => {
  open({ at_risk: null, alerts: [], changes: [], affected_sites: 0, affected_customers: 0 })
  await heading()
  expect(screen.queryByText('Revenue at risk')).toBeNull()
  expect(screen.getByText('No sites or customers affected')).toBeTruthy()
  expect(screen.getByText('No alert belongs to this incident.')).toBeTruthy()
  expect(screen.getByText(/in the hours before/)).toBeTruthy()
})

test.each([
  ['open', 'Start investigating', 'investigating', 'Investigating: INC-12'],
  ['investigating', 'Mark as identified', 'identified', 'Identified: INC-12'],
  ['identified', 'Start monitoring', 'monitoring', 'Monitoring: INC-12'],
] as const)('from %s, “%s” leads on', async (status, button, next, toast) => {
  const { api, user } = open({ status })
  await user.click(await screen.findByRole('button', { name: button }))
  expect(await screen.findByText(toast)).toBeTruthy()
  expect(bodies(api, 'updateIncident')).toEqual([{ version: 5, status: next }])
})

test('resolving says that the alerts are resolved too', async () => {
  const { api, user } = open({ status: 'monitoring' })
  await user.click(await screen.findByRole('button', { name: 'Resolve incident' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Resolve INC-12' }))
  expect(dialog.getByText('Its 2 active alerts are resolved too.')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Resolve incident' }))
  expect(await screen.findByText('Resolved: INC-12')).toBeTruthy()
  expect(bodies(api, 'updateIncident')).toEqual([{ version: 5, status: 'resolved' }])
})

test('the menu skips steps', async () => {
  const { api, user } = open()
  await choose(user, 'Set to Monitoring')
  expect(await screen.findByText('Monitoring: INC-12')).toBeTruthy()
  expect(bodies(api, 'updateIncident')).toEqual([{ version: 5, status: 'monitoring' }])
})

test('says how long it lasted, and reopens it', async () => {
  const { api, user } = open({ status: 'resolved', resolved_at: '2026-11-21T12:05:00Z', resolved_by: 'Ada Lovelace' })
  expect((await screen.findByRole('note')).textContent).toMatch(/^Resolved .* by Ada Lovelace, after 2 h 5 min\.$/)
  await choose(user, 'Reopen incident')
  await waitFor(() => expect(bodies(api, 'updateIncident')).toEqual([{ version: 5, status: 'open' }]))
})

test('a change that somebody else was faster with is told, and the newest state is read', async () => {
  const { user } = open()
  await heading()
  mockIncident(incidentDetailsOf({ version: 6, status: 'identified' }))
  const api = mockApi(incidents, {
    updateIncident: () =>
      problem(409, { code: 'conflict', parameter: 'version', detail: 'Ada Lovelace changed this incident.' }),
  })
  await user.click(screen.getByRole('button', { name: 'Start investigating' }))
  expect(await screen.findByText('INC-12 was not changed')).toBeTruthy()
  expect(screen.getByText('Ada Lovelace changed this incident.')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Start monitoring' })).toBeTruthy()
  expect(bodies(api, 'updateIncident')).toHaveLength(1)
})

test('assigns, and edits title and severity', async () => {
  const { api, user } = open()
  await heading()
  await user.click(screen.getByRole('button', { name: 'Assign' }))
  const assign = within(await screen.findByRole('dialog', { name: 'Assign INC-12' }))
  await user.selectOptions(await assign.findByLabelText('Assignee'), 'Ada Lovelace')
  await user.click(assign.getByRole('button', { name: 'Assign' }))
  expect(await screen.findByText('Assigned to Ada Lovelace: INC-12')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await choose(user, 'Edit title or severity')
  const edit = within(await screen.findByRole('dialog', { name: 'Edit incident' }))
  await user.selectOptions(await edit.findByLabelText('Severity'), 'sev1')
  await user.click(edit.getByRole('button', { name: 'Save incident' }))
  expect(await screen.findByText(/^Saved INC-12/)).toBeTruthy()
  expect(bodies(api, 'updateIncident')).toEqual([
    { version: 5, assignee_id: 'usr_1' },
    { version: 5, severity: 'sev1' },
  ])
})

test('marks as a false positive after saying what that means', async () => {
  const { api, user } = open()
  await choose(user, 'Mark as false positive')
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Mark as false positive' }))
  expect(dialog.getByText(/no longer counts/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Mark as false positive' }))
  expect(await screen.findByText('False positive: INC-12')).toBeTruthy()
  expect(bodies(api, 'updateIncident')).toEqual([{ version: 5, is_false_positive: true }])
})

test('a false positive says so, and the mark is undone', async () => {
  const { api, user } = open({ is_false_positive: true })
  expect((await screen.findByRole('note')).textContent).toBe('False positive: not counted in reports.')
  await choose(user, 'Undo false positive')
  const undo = within(await screen.findByRole('alertdialog'))
  await user.click(undo.getByRole('button', { name: 'Undo false positive' }))
  expect(await screen.findByText('Counts again: INC-12')).toBeTruthy()
  expect(bodies(api, 'updateIncident')).toEqual([{ version: 5, is_false_positive: false }])
})

test('merges into another one that is searched for, never into itself', async () => {
  const { api, user } = open()
  await choose(user, 'Merge into another')
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Merge INC-12' }))
  await user.click(dialog.getByRole('button', { name: 'Merge incident' }))
  expect(dialog.getByText('Choose the incident to merge into')).toBeTruthy()
  await user.type(dialog.getByRole('combobox', { name: 'Merge into' }), 'cloud')
  await waitFor(() =>
    expect(
      api
        .calls()
        .filter(({ name }) => name === 'listIncidents')
        .at(-1)?.query,
    ).toMatchObject({ search: 'cloud' }),
  )
  expect(dialog.queryByRole('option', { name: /Harbour/ })).toBeNull()
  await user.click(await dialog.findByRole('option', { name: /INC-9 · Cloudflare is down/ }))
  await user.click(dialog.getByRole('button', { name: 'Merge incident' }))
  expect(await screen.findByText('Merged INC-12 into INC-9 · Cloudflare is down')).toBeTruthy()
  expect(bodies(api, 'mergeIncident')).toEqual([{ into: 'inc_9' }])
})

test('splits chosen alerts off, and leads to their incident', async () => {
  const { api, user } = open()
  await choose(user, 'Split alerts')
  const dialog = within(await screen.findByRole('dialog', { name: 'Split alerts off INC-12' }))
  await user.type(dialog.getByLabelText('Title of the new incident'), 'Certificates')
  await user.click(dialog.getByRole('button', { name: 'Split alerts' }))
  expect(await dialog.findByText('Choose at least one alert')).toBeTruthy()
  await user.click(dialog.getByRole('checkbox', { name: /Certificate of Cove/ }))
  await user.click(dialog.getByRole('button', { name: 'Split alerts' }))
  expect(await screen.findByText('Split 1 alert off INC-12')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'View INC-13' }).getAttribute('href')).toBe('/admin/incidents/inc_13')
  expect(bodies(api, 'splitIncident')).toEqual([{ alert_ids: ['al_2'], title: 'Certificates' }])
})

test('a merged incident leads to the other one and can be changed no more', async () => {
  const { user } = open({ status: 'merged', merged_into: 'inc_9', resolved_at: '2026-11-21T12:05:00Z' })
  const link = await screen.findByRole('link', { name: 'INC-9 · Cloudflare is down' })
  expect(link.getAttribute('href')).toBe('/admin/incidents/inc_9')
  expect(screen.queryByRole('button', { name: 'Assign' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'More for this incident' }))
  expect((await screen.findByRole('menuitem', { name: /^Merge/ })).textContent).toMatch(/Already merged/)
})

test('writes a note', async () => {
  const { api, user } = open()
  await heading()
  await user.click(screen.getByRole('button', { name: 'Add note' }))
  expect(screen.getByText('Enter a note').getAttribute('role')).toBe('alert')
  const field = screen.getByLabelText<HTMLTextAreaElement>('Add a note')
  await user.type(field, ' Called the host ')
  await user.click(screen.getByRole('button', { name: 'Add note' }))
  expect(await screen.findByText('Note added to INC-12')).toBeTruthy()
  expect(bodies(api, 'addIncidentNote')).toEqual([{ text: 'Called the host' }])
  expect(field.value).toBe('')
})

test('a refused note stays in its box', async () => {
  const { user } = open()
  await heading()
  mockApi(incidents, { addIncidentNote: () => problem(503, { code: 'unavailable', detail: 'Try again soon' }) })
  await user.type(screen.getByLabelText('Add a note'), 'Called the host')
  await user.click(screen.getByRole('button', { name: 'Add note' }))
  expect(await screen.findByText(/Try again soon/)).toBeTruthy()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Add a note').value).toBe('Called the host')
})

test('whoever may only look is told which permission is missing', async () => {
  const { user } = open({}, testSession(['sites.read']))
  await heading()
  for (const name of ['Assign', 'Start investigating', 'Add note'])
    expect(screen.getByRole('button', { name }).getAttribute('aria-description')).toBe(
      'Needs the permission sites.write',
    )
  await user.click(screen.getByRole('button', { name: 'More for this incident' }))
  expect((await screen.findByRole('menuitem', { name: /^Merge/ })).textContent).toMatch(/sites\.write/)
})

test('one that does not exist, one that failed, and one that is denied say so', async () => {
  mockApi(incidents, { getIncident: () => problem(404, { code: 'not_found' }) })
  const missing = renderPage(<IncidentPage />, { route: '/admin/incidents/nope' })
  expect(await screen.findByText('Incident not found')).toBeTruthy()
  missing.unmount()
  mockApi(incidents, { getIncident: () => problem(503, { code: 'unavailable' }) })
  const failed = renderPage(<IncidentPage />, { route: '/admin/incidents/inc_12' })
  expect(await screen.findByText(/Failed to load the incident/)).toBeTruthy()
  mockIncident()
  await failed.user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await heading()).toBeTruthy()
  failed.unmount()
  open({}, testSession(['customers.read']))
  expect(await screen.findByText('You may not see incidents')).toBeTruthy()
})

test('a failed refresh keeps what is shown, with its age', async () => {
  const { client } = open()
  await heading()
  mockApi(incidents, { getIncident: () => problem(503, { code: 'unavailable' }) })
  await client.invalidateQueries()
  expect(await screen.findByText(/Showing old data:/)).toBeTruthy()
  expect(screen.getByRole('list', { name: 'Timeline' })).toBeTruthy()
})

test('hostile texts stay texts', async () => {
  const hostile = '<img src=x onerror=alert(1)>'
  open({
    title: hostile,
    events: [{ id: 'e', at: '2026-11-21T10:00:00Z', kind: 'note', actor: hostile, text: hostile }],
  })
  await heading()
  expect(screen.getAllByText(hostile).length).toBeGreaterThan(1)
  expect(document.querySelector('img')).toBeNull()
})

const undos = [
  [
    { kind: 'deployment', site_id: 'site_1', to: 'dep_1', name: 'abc1234' } as const,
    'Roll back site',
    { to: 'dep_1', reason: 'INC-12' },
  ],
  [
    { kind: 'environment', site_id: 'site_1', to: 4, version: 5, name: 'version 4' } as const,
    'Roll back variables',
    { to: 4, version: 5 },
  ],
] as const

test('undoes the change of a feature flag', async () => {
  const undo = { kind: 'flag', flag_id: 'flag_1', to: 2, version: 3, name: 'version 2' } as const
  const api = mockApi(featureFlags, { revertFeatureFlag: () => problem(409, { detail: 'A rollout goes on.' }) })
  const { user } = open({
    changes: [aCause({ undo, kind: 'flag', site_name: null, title: 'Changed the feature flag new-checkout' })],
  })
  await user.click(await screen.findByRole('button', { name: 'Roll back to version 2' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Revert feature flag' }))
  expect(dialog.getByText('Undoes: Changed the feature flag new-checkout.')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Roll back to version 2' }))
  expect(await dialog.findByText(/A rollout goes on/)).toBeTruthy()
  const [sent] = api.calls().filter(({ name }) => name === 'revertFeatureFlag')
  expect(sent).toMatchObject({ params: { id: 'flag_1' }, body: { to: 2, version: 3 } })
})

test.each(undos)(
  'undoes the change that probably caused it, after saying what that does',
  async (undo, title, body) => {
    const refused = () => problem(409, { detail: 'Another deployment runs.' })
    const calls = [mockApi(deployments, { rollbackSite: refused }), mockApi(sites, { rollBackEnvironment: refused })]
    const { user } = open({ changes: [aCause({ undo, site_name: 'Harbour Bakery' })] })
    await user.click(await screen.findByRole('button', { name: `Roll back to ${undo.name}` }))
    const dialog = within(await screen.findByRole('alertdialog', { name: title }))
    expect(dialog.getByText(`Rolls Harbour Bakery back to ${undo.name}.`)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: `Roll back to ${undo.name}` }))
    expect(await dialog.findByText(/Another deployment runs/)).toBeTruthy()
    const sent = calls.flatMap((api) => api.calls()).filter(({ name }) => /^roll/.test(name))
    expect(sent[0]).toMatchObject({ params: { id: 'site_1' }, body })
  },
)

test('whoever may not deploy sees why a rollback is not theirs', async () => {
  open({ changes: [aCause({ undo: undos[0][0] })] }, testSession(['sites.read', 'sites.write']))
  const button = await screen.findByRole('button', { name: 'Roll back to abc1234' })
  expect(button.getAttribute('aria-disabled') ?? button.getAttribute('disabled')).not.toBeNull()
})
