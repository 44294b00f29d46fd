import * as incidentNotices from '@agency/contract/descriptors/incident-notices'
import * as incidents from '@agency/contract/descriptors/incidents'
import * as statusPages from '@agency/contract/descriptors/status-pages'
import type { IncidentNotice, NoticeReceiver, PublicUpdate } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { incidentDetailsOf } from '../../../../test/alert-fixtures.ts'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../../test/render.tsx'
import { IncidentPage } from '../IncidentPage.tsx'

const receiver = (part: Partial<NoticeReceiver> = {}): NoticeReceiver => ({
  customer_id: 'cus_1',
  name: 'Harbour Bakery',
  address: 'ada@harbour.example',
  standing: 'ready',
  sites: ['harbour.example'],
  ...part,
})
const receivers = [
  receiver(),
  receiver({ customer_id: 'cus_2', name: 'Cove', sites: ['cove.example'] }),
  receiver({ customer_id: 'cus_3', name: 'Quarry', address: null, standing: 'no_address' }),
]
const sent: IncidentNotice = {
  id: 'notice_1',
  at: '2026-11-21T11:00:00Z',
  sent_by: 'Grace Hopper',
  subject: 'Problem with {sites}',
  text: 'Hello {customer}',
  receivers: [
    { ...receivers[0]!, state: 'sent', sent_at: '2026-11-21T11:00:05Z', error: null },
    { ...receivers[1]!, state: 'failed', sent_at: null, error: '550 No such user' },
  ],
}
const draft = { subject: 'Problem with {sites}', text: 'Hello {customer},' }

test('says that the published updates could not be loaded, and loads them again', async () => {
  const { user } = open({}, {}, testSession(), () => problem(503, { code: 'unavailable', detail: 'Not now' }))
  const panel = within(await screen.findByRole('region', { name: 'Public updates' }))
  expect(await panel.findByText(/Failed to load the published updates\./)).toBeTruthy()
  mockApi(statusPages, {
    listPublicUpdates: () => ({ updates: [{ id: 'u_1', at: '2026-11-21T11:00:00Z', text: 'On it', actor: 'Me' }] }),
  })
  await user.click(panel.getByRole('button', { name: /Retry/ }))
  expect(await panel.findByText('On it')).toBeTruthy()
})

function open(
  part: object = {},
  handlers: object = {},
  session = testSession(),
  listPublicUpdates: () => { updates: PublicUpdate[] } | Response = () => ({ updates: [] }),
) {
  mockApi(incidents, { getIncident: () => ({ incident: incidentDetailsOf() }) })
  mockApi(statusPages, {
    listPublicUpdates,
    addPublicUpdate: () => ({ update: { id: 'u_1', at: '2026-11-21T11:00:00Z', text: 'On it', actor: 'Me' } }),
  })
  const api = mockApi(incidentNotices, {
    getIncidentNotices: () => ({ receivers, draft, notices: [], has_mail_server: true, ...part }),
    previewIncidentNotice: ({ body }) => ({
      to: 'cove@example.com',
      subject: `For ${body.customer_id}`,
      text: 'Hello',
    }),
    sendIncidentNotice: () => ({ notice: sent }),
    retryIncidentNotice: () => ({ notice: sent }),
    ...handlers,
  })
  const page = renderPage(<IncidentPage />, { route: '/admin/incidents/inc_12?tab=customers', session })
  const bodies = (name: string) => api.calls().flatMap((call) => (call.name === name ? [call.body] : []))
  return { ...page, bodies }
}

test('says whom it concerns, and why somebody gets nothing', async () => {
  open()
  const list = within(await screen.findByRole('list', { name: 'Affected customers' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Harbour Bakeryada@harbour.exampleharbour.exampleWill be emailed',
    'Coveada@harbour.examplecove.exampleWill be emailed',
    'Quarryharbour.exampleNo email address',
  ])
})

test('the draft is changed, looked at as one customer gets it, and sent once', async () => {
  const { user, bodies } = open()
  const text = await screen.findByLabelText('Text')
  await user.type(text, ' sorry.')
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  const dialog = await screen.findByRole('dialog', { name: 'Preview' })
  expect(await within(dialog).findByText('For cus_1')).toBeTruthy()
  await user.selectOptions(within(dialog).getByLabelText('Customer'), 'Cove')
  expect(await within(dialog).findByText('For cus_2')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Email 2 customers' }))
  expect(await screen.findByText('Emailing 2 customers')).toBeTruthy()
  expect(bodies('sendIncidentNotice')).toEqual([{ subject: draft.subject, text: 'Hello {customer}, sorry.' }])
})

test('an empty text is not sent', async () => {
  const { user, bodies } = open()
  await user.clear(await screen.findByLabelText('Text'))
  await user.click(screen.getByRole('button', { name: 'Email 2 customers' }))
  expect(await screen.findByText('Enter a text')).toBeTruthy()
  expect(bodies('sendIncidentNotice')).toEqual([])
})

test('a refusal is told at the form', async () => {
  const detail = 'Every affected customer already got this notice. Nothing was sent.'
  const { user } = open({}, { sendIncidentNotice: () => problem(409, { code: 'conflict', detail }) })
  await user.click(await screen.findByRole('button', { name: 'Email 2 customers' }))
  expect((await screen.findByText(detail)).getAttribute('role')).toBe('alert')
})

test('what was sent is listed by customer, and what failed can be sent again', async () => {
  const { user, bodies } = open({ notices: [sent] })
  const list = within(await screen.findByRole('list', { name: 'Customers of Problem with {sites}' }))
  expect(list.getByText('550 No such user')).toBeTruthy()
  expect(list.queryByRole('button', { name: 'Retry Harbour Bakery' })).toBeNull()
  await user.click(list.getByRole('button', { name: 'Retry Cove' }))
  expect(await screen.findByText('Sending again to Cove')).toBeTruthy()
  expect(bodies('retryIncidentNotice')).toEqual([{ customer_id: 'cus_2' }])
})

test('without a mail server says what to do first', async () => {
  open({ has_mail_server: false })
  const link = await screen.findByRole('link', { name: 'Set "Mail server" under System Config' })
  expect(link.getAttribute('href')).toBe('/admin/config')
  expect(screen.getByRole('button', { name: 'Email 2 customers' })).toHaveProperty('disabled', true)
})

test('whoever may not write to customers reads only; whoever may not read asks nothing', async () => {
  open({}, {}, testSession(['sites.read', 'support.read']))
  expect(await screen.findByRole('button', { name: 'Email 2 customers' })).toHaveProperty('disabled', true)
})

test('whoever may not read notices is told so', async () => {
  const { bodies } = open({}, {}, testSession(['sites.read']))
  expect(await screen.findByText('You may not see notices to customers')).toBeTruthy()
  expect(bodies('getIncidentNotices')).toEqual([])
})

test('a public update is published, once it says something', async () => {
  const { user, bodies } = open()
  await user.click(await screen.findByRole('button', { name: 'Publish update' }))
  expect(await screen.findByText('Enter an update')).toBeTruthy()
  await user.type(screen.getByLabelText('Update'), 'We are on it')
  await user.click(screen.getByRole('button', { name: 'Publish update' }))
  expect(await screen.findByText('Published on the status pages')).toBeTruthy()
  expect(bodies('addPublicUpdate')).toEqual([{ text: 'We are on it' }])
})
