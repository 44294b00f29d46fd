import * as alerts from '@agency/contract/descriptors/alerts'
import * as sites from '@agency/contract/descriptors/sites'
import type { MaintenanceWindow } from '@agency/contract/types'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aWindow } from '../../../test/alert-fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { aSite } from '../../../test/site-fixtures.ts'
import { AlertsPage } from './AlertsPage.tsx'

function mockMaintenance(windows: MaintenanceWindow[] = [aWindow()]) {
  mockApi(sites, {
    listSites: () => ({
      sites: [aSite({ id: 'site_1', site_name: 'Harbour Bakery' })],
      has_more: false,
      total: 1,
      summary: { total: 1, active: 1, healthy: 1, ssl_issues: 0 },
    }),
  })
  return mockApi(alerts, {
    listMaintenance: () => ({ windows }),
    createMaintenance: () => ({ window: aWindow({ title: 'New switches', state: 'planned' }) }),
    endMaintenance: () => ({ ended: true }),
  })
}
const open = (windows?: MaintenanceWindow[], session = testSession()) => ({
  api: mockMaintenance(windows),
  ...renderPage(<AlertsPage />, { route: '/admin/alerts?tab=maintenance', session }),
})
const called = (api: ReturnType<typeof mockMaintenance>, name: string) =>
  api.calls().filter((call) => call.name === name)

test('lists windows with state, times, sites and what they do', async () => {
  open([
    aWindow(),
    aWindow({ id: 'mw_2', title: 'Every site', state: 'planned', sites: [], silences: false, excludes_uptime: false }),
    aWindow({ id: 'mw_3', title: 'Done', state: 'over', silences: false }),
  ])
  const row = within((await screen.findByText('Move to new servers')).closest('tr')!)
  for (const text of [
    'Planned by Grace Hopper',
    'Running',
    'Harbour Bakery',
    'Notices silenced',
    'Excluded from uptime',
  ])
    expect(row.getByText(text)).toBeTruthy()
  const every = within(screen.getByText('Every site').closest('tr')!)
  expect(every.getByText('All sites')).toBeTruthy()
  expect(every.getByText('None')).toBeTruthy()
  expect(screen.getByText('1 running · 1 planned')).toBeTruthy()
})

test('ends what runs, after saying what that touches', async () => {
  const { api, user } = open()
  await screen.findByText('Move to new servers')
  await user.click(screen.getByRole('button', { name: 'Actions for Move to new servers' }))
  await user.click(await screen.findByRole('menuitem', { name: 'End now' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'End maintenance' }))
  expect(dialog.getByText('Affects', { exact: false }).textContent).toBe('Affects Harbour Bakery.')
  expect(dialog.getByText('Notices are sent again from now on.')).toBeTruthy()
  expect(dialog.getByText(/Uptime counts again/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'End maintenance' }))
  expect(await screen.findByText('Ended: Move to new servers')).toBeTruthy()
  expect(called(api, 'endMaintenance')).toMatchObject([{ params: { id: 'mw_1' } }])
})

test('cancels what has not begun; what is over stays; a refusal stands in the dialog', async () => {
  const { user } = open([aWindow({ state: 'planned' }), aWindow({ id: 'mw_3', title: 'Done', state: 'over' })])
  await screen.findByText('Done')
  await user.click(screen.getByRole('button', { name: 'Actions for Done' }))
  expect((await screen.findByRole('menuitem', { name: /^End now/ })).textContent).toMatch(/Already over/)
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Actions for Move to new servers' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Cancel maintenance' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Cancel maintenance' }))
  mockApi(alerts, { endMaintenance: () => problem(409, { code: 'conflict', detail: 'Already started' }) })
  await user.click(dialog.getByRole('button', { name: 'Cancel maintenance' }))
  expect(await dialog.findByText('Already started')).toBeTruthy()
  mockApi(alerts, { endMaintenance: () => ({ ended: true }) })
  await user.click(dialog.getByRole('button', { name: 'Cancel maintenance' }))
  expect(await screen.findByText('Cancelled: Move to new servers')).toBeTruthy()
})

test('plans maintenance of all sites with both switches on', async () => {
  const { api, user } = open([])
  expect(await screen.findByText('No maintenance planned')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Plan maintenance' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Plan maintenance' }))
  await user.click(dialog.getByRole('button', { name: 'Plan maintenance' }))
  expect(await dialog.findByText('Enter a title')).toBeTruthy()
  await user.type(dialog.getByLabelText('Title'), 'New switches')
  await user.click(dialog.getByRole('button', { name: 'Plan maintenance' }))
  expect(await screen.findByText('Planned: New switches')).toBeTruthy()
  const [{ body }] = called(api, 'createMaintenance') as unknown as [{ body: Record<string, string> }]
  expect(body).toMatchObject({ title: 'New switches', site_ids: [], silences: true, excludes_uptime: true })
  expect(Date.parse(body['ends_at']!) - Date.parse(body['starts_at']!)).toBe(3_600_000)
})

const planning = async (user: ReturnType<typeof renderPage>['user']) => {
  await user.click(await screen.findByRole('button', { name: 'Plan maintenance' }))
  return within(await screen.findByRole('dialog', { name: 'Plan maintenance' }))
}

test('neither an end before the start nor a choice of no sites is sent', async () => {
  const { api, user } = open([])
  const dialog = await planning(user)
  await user.click(dialog.getByRole('radio', { name: 'Some sites' }))
  await dialog.findByRole('combobox', { name: 'Choose sites' })
  fireEvent.change(dialog.getByLabelText('From'), { target: { value: '2099-01-02T10:00' } })
  fireEvent.change(dialog.getByLabelText('To'), { target: { value: '2099-01-02T09:00' } })
  await user.click(dialog.getByRole('button', { name: 'Plan maintenance' }))
  expect(await dialog.findByText('Choose at least one site')).toBeTruthy()
  expect(dialog.getByText('The end must be after the start')).toBeTruthy()
  expect(called(api, 'createMaintenance')).toEqual([])
})

test('plans maintenance of chosen sites that is not silent', async () => {
  const { api, user } = open([])
  const dialog = await planning(user)
  fireEvent.change(dialog.getByLabelText('Title'), { target: { value: 'New switches' } })
  fireEvent.change(dialog.getByLabelText('From'), { target: { value: '2099-01-02T10:00' } })
  fireEvent.change(dialog.getByLabelText('To'), { target: { value: '2099-01-02T11:30' } })
  await user.click(dialog.getByRole('radio', { name: 'Some sites' }))
  await user.type(await dialog.findByRole('combobox', { name: 'Choose sites' }), 'harb')
  await waitFor(() => expect(called(api, 'listSites').at(-1)?.query).toMatchObject({ search: 'harb' }))
  await user.click(await dialog.findByRole('option', { name: /Harbour Bakery/ }))
  await user.click(dialog.getByRole('switch', { name: /^Silence notices/ }))
  await user.click(dialog.getByRole('button', { name: 'Plan maintenance' }))
  await screen.findByText('Planned: New switches')
  expect(called(api, 'createMaintenance')[0]?.body).toEqual({
    title: 'New switches',
    starts_at: new Date('2099-01-02T10:00').toISOString(),
    ends_at: new Date('2099-01-02T11:30').toISOString(),
    site_ids: ['site_1'],
    silences: false,
    excludes_uptime: true,
  })
})

test('a refused end is told at its field', async () => {
  const { user } = open([])
  mockApi(alerts, {
    createMaintenance: () =>
      problem(400, { code: 'invalid_request', parameter: 'body.ends_at', detail: 'body.ends_at: 30 days at most' }),
  })
  await user.click(await screen.findByRole('button', { name: 'Plan maintenance' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Title'), 'New switches')
  await user.click(dialog.getByRole('button', { name: 'Plan maintenance' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('30 days at most')
})

test('whoever may only look cannot plan, and is told why', async () => {
  const { user } = open(undefined, testSession(['sites.read']))
  await screen.findByText('Move to new servers')
  const button = screen.getByRole('button', { name: 'Plan maintenance' })
  expect(button).toHaveProperty('disabled', true)
  expect(button.getAttribute('aria-description')).toBe('Needs the permission sites.write')
  await user.click(screen.getByRole('button', { name: 'Actions for Move to new servers' }))
  expect((await screen.findByRole('menuitem', { name: /^End now/ })).textContent).toMatch(/sites\.write/)
})
