import * as reportSchedules from '@agency/contract/descriptors/report-schedules'
import type { ReportSchedule } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { aDelivery, aSchedule } from '../../../test/report-schedules.ts'
import { CustomerSchedules } from './CustomerSchedules.tsx'
import { SchedulesTab } from './SchedulesTab.tsx'

const people = [
  { id: 'u1', name: 'Ada Lovelace', email: 'ada@example.com', problem: null },
  { id: 'u2', name: 'Ben Franklin', email: 'ben@example.com', problem: null },
  { id: 'u3', name: 'Cy Young', email: 'cy@example.com', problem: 'Cy Young may not see reports (analytics.read)' },
]
const html = `<!doctype html><html><body style="background:#f5f6f8"><script>window.ran = 1</script>
<h1 style="color:#1565c0">Revenue report</h1><p style="margin:0">Total revenue: &lt;b style=&quot;x&quot;&gt;$12</p>
<a href="https://evil.example" onclick="x()" style="color:red">Open the report</a></body></html>`

const mock = (schedules: ReportSchedule[], handlers: object = {}, has_mail_server = true) =>
  mockApi(reportSchedules, {
    listReportSchedules: () => ({ schedules, has_mail_server, has_address: true }),
    getScheduleOptions: () => ({ people, self_id: 'u1', time_zone: 'Europe/Berlin', has_mail_server }),
    listReportDeliveries: () => ({ deliveries: [aDelivery()] }),
    createReportSchedule: () => ({ schedule: aSchedule() }),
    updateReportSchedule: () => ({ schedule: aSchedule() }),
    pauseReportSchedule: () => ({ schedule: aSchedule({ state: 'paused', next_at: null }) }),
    deleteReportSchedule: () => ({ success: true }),
    sendReportSchedule: () => ({ delivery: aDelivery({ state: 'open' }) }),
    previewReportSchedule: () => ({
      ...{ to: null, subject: 'Revenue report, November 15 – 21, 2026', html, text: 'Revenue report' },
      ...{ first_day: '2026-11-15', last_day: '2026-11-21' },
    }),
    ...handlers,
  })

const open = (schedules = [aSchedule()], handlers: object = {}, session = testSession(), hasMailServer = true) => ({
  api: mock(schedules, handlers, hasMailServer),
  ...renderPage(<SchedulesTab />, { route: '/admin/reports?tab=schedules', session }),
})
const sent = (api: ReturnType<typeof mock>, name: string) =>
  api
    .calls()
    .filter((call) => call.name === name)
    .map(({ body }) => body)
const act = async (user: ReturnType<typeof open>['user'], what: string, name = 'Weekly revenue report') => {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  await user.click(await screen.findByRole('menuitem', { name: what }))
}

/** What is there while it loads is another dialog. */
async function theForm() {
  await screen.findByRole('button', { name: 'Preview' })
  return within(screen.getByRole('dialog', { name: 'Add schedule' }))
}

test('lists what is sent to whom and when, and what keeps it from somebody', async () => {
  const gone = { id: 'u9', name: null, email: null, problem: 'This account was removed', unsubscribed_at: null }
  open([
    aSchedule({ receivers: [...aSchedule().receivers, gone] }),
    aSchedule({ id: 'rs_2', state: 'paused', next_at: null }),
  ])
  const [row] = (await screen.findAllByText('Weekly revenue report')).map((text) => within(text.closest('tr')!))
  for (const text of ['Mondays, 8 AM, America/New York', 'Ada Lovelace, Removed account (u9)', 'Active', 'Problem'])
    expect(row?.getByText(text)).toBeTruthy()
  expect(row?.getByText('Problem').closest('[title]')?.getAttribute('title')).toBe(
    'This account was removed: gets nothing',
  )
})

test('a schedule is added for oneself, in the zone of the account, and for others that may see it', async () => {
  const { user, api } = open([])
  await user.click(await screen.findByRole('button', { name: 'Add schedule' }))
  const dialog = await theForm()
  await user.selectOptions(await dialog.findByLabelText('Report'), 'Usage')
  await user.selectOptions(dialog.getByLabelText('Attached file'), 'PDF')
  await user.selectOptions(dialog.getByLabelText('How often'), 'Every month')
  await user.selectOptions(dialog.getByLabelText('Day'), 'Last day of the month')
  await user.selectOptions(dialog.getByLabelText('Time'), '6 PM')
  await user.click(dialog.getByLabelText('Receivers'))
  expect(screen.queryByRole('option', { name: /Cy Young/ })).toBeNull()
  await user.click(await screen.findByRole('option', { name: /Ben Franklin/ }))
  await user.click(dialog.getByRole('button', { name: 'Add schedule' }))
  expect(await screen.findByText('Added schedule: Weekly revenue report')).toBeTruthy()
  expect(sent(api, 'createReportSchedule')).toEqual([
    {
      ...{ report: 'usage', customer_id: null, receiver_ids: ['u1', 'u2'], format: 'pdf', cadence: 'monthly' },
      ...{ weekday: null, month_day: 31, hour: 18, time_zone: 'Europe/Berlin' },
    },
  ])
})

test('nobody chosen, and what the server refuses, is said at the field', async () => {
  const { user, api } = open([], {
    createReportSchedule: () =>
      problem(400, { code: 'invalid_request', detail: 'Ada is deactivated.', parameter: 'receiver_ids' }),
    getScheduleOptions: () => ({ people, self_id: null, time_zone: null, has_mail_server: true }),
  })
  await user.click(await screen.findByRole('button', { name: 'Add schedule' }))
  const dialog = await theForm()
  await user.click(await dialog.findByRole('button', { name: 'Add schedule' }))
  expect(dialog.getByText('Choose receivers')).toBeTruthy()
  expect(sent(api, 'createReportSchedule')).toEqual([])
  await user.click(dialog.getByLabelText('Receivers'))
  await user.click(await screen.findByRole('option', { name: /Ada Lovelace/ }))
  await user.click(dialog.getByRole('button', { name: 'Add schedule' }))
  expect(await dialog.findByText('Ada is deactivated.')).toBeTruthy()
})

test('the preview shows the email in its own styles, and runs and follows nothing in it', async () => {
  const { user } = open()
  await act(user, 'Preview')
  const dialog = within(await screen.findByRole('dialog', { name: 'Preview' }))
  const email = await dialog.findByRole('region', { name: 'Email' })
  const root = email.shadowRoot!
  const title = root.querySelector('h3') as HTMLElement
  expect([title.textContent, title.style.color]).toEqual(['Revenue report', 'rgb(21, 101, 192)'])
  expect(root.textContent).toContain('Total revenue: <b style="x">$12')
  expect(root.querySelector('script, [href], [onclick], [src]')).toBeNull()
  expect((window as { ran?: number }).ran).toBeUndefined()
})

test('sends now, pauses and deletes', async () => {
  const { user, api } = open()
  await act(user, 'Send now')
  expect(await screen.findByText('Sending: Weekly revenue report')).toBeTruthy()
  await act(user, 'Pause')
  expect(await screen.findByText('Paused: Weekly revenue report')).toBeTruthy()
  await act(user, 'Delete')
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete schedule' }))
  await user.click(dialog.getByRole('button', { name: 'Delete schedule' }))
  await waitFor(() => expect(sent(api, 'deleteReportSchedule')).toHaveLength(1))
})

test('says why something cannot be done', async () => {
  const denial = 'Needs the permission admin.system'
  const { user } = open([aSchedule({ denial })])
  await user.click(await screen.findByRole('button', { name: 'Actions for Weekly revenue report' }))
  for (const name of ['Send now', 'Edit', 'Pause', 'Delete'])
    expect((await screen.findByRole('menuitem', { name: new RegExp(`^${name}`) })).getAttribute('aria-disabled')).toBe(
      'true',
    )
})

test('without a mail server nothing pretends to be sent', async () => {
  const { user } = open([aSchedule()], {}, testSession(), false)
  expect(await screen.findByText(/^No mail server, so nothing is sent/)).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: 'Actions for Weekly revenue report' }))
  expect((await screen.findByRole('menuitem', { name: /^Send now/ })).getAttribute('aria-disabled')).toBe('true')
})

test('without the address of the console it is said that emails have no links', async () => {
  open([aSchedule()], {
    listReportSchedules: () => ({ schedules: [aSchedule()], has_mail_server: true, has_address: false }),
  })
  const hint = await screen.findByText(/^Reports have no links, not even to unsubscribe/)
  expect(within(hint).getByRole('link').getAttribute('href')).toMatch(/config/)
})

test('the history says what became of each email', async () => {
  const receivers = [
    ...aDelivery().receivers,
    { name: 'Cy Young', address: null, state: 'skipped' as const, reason: 'Cy Young is deactivated', sent_at: null },
  ]
  const failed = aDelivery({
    id: 'd2',
    state: 'failed',
    reason: 'No mail server',
    cause: 'now',
    ordered_by: 'Ada',
  })
  const { user } = open([aSchedule()], {
    listReportDeliveries: () => ({ deliveries: [aDelivery({ receivers }), { ...failed, receivers: [] }] }),
  })
  await user.click(await screen.findByText('Weekly revenue report'))
  const dialog = within(await screen.findByRole('dialog', { name: /^Weekly revenue report/ }))
  const history = within(await dialog.findByRole('region', { name: 'History' }))
  for (const text of ['ada@example.com', 'Sent', 'Cy Young is deactivated', 'No mail server'])
    expect(await history.findByText(text)).toBeTruthy()
  expect(history.getAllByText('Not sent')).toHaveLength(2)
})

const stopped = { ...aSchedule().receivers[0]!, unsubscribed_at: '2026-11-25T12:00:00Z' }
const ben = { ...stopped, id: 'u2', name: 'Ben Franklin', email: 'ben@example.com', unsubscribed_at: null }

test('who unsubscribed is said with the time, and that only they can undo it', async () => {
  const { user } = open([aSchedule({ receivers: [stopped, ben] })])
  await user.click(await screen.findByText('Ada Lovelace (unsubscribed), Ben Franklin'))
  expect(screen.queryByText('Problem')).toBeNull()
  const dialog = within(await screen.findByRole('dialog', { name: /^Weekly revenue report/ }))
  const [note, ...others] = dialog.getAllByRole('note')
  expect(others).toEqual([])
  expect(note?.textContent).toMatch(
    /^Ada Lovelace unsubscribed .*2026.*\. Only the link in their emails undoes this\.$/,
  )
  expect(note?.querySelector('time')?.dateTime).toBe('2026-11-25T12:00:00Z')
})

test('with nobody left it says so, and is not sent now', async () => {
  const { user } = open([aSchedule({ receivers: [stopped] })])
  const warning = await screen.findByText('Problem')
  expect(warning.closest('[title]')?.getAttribute('title')).toBe('All receivers unsubscribed: nothing is sent')
  await user.click(screen.getByRole('button', { name: 'Actions for Weekly revenue report' }))
  expect((await screen.findByRole('menuitem', { name: /^Send now/ })).getAttribute('aria-disabled')).toBe('true')
})

test('a customer who unsubscribed is named with their schedule', async () => {
  mock([aSchedule({ report: 'customer', customer_id: 'cus_1', receivers: [stopped] })])
  renderPage(<CustomerSchedules customerId="cus_1" />)
  const notes = await screen.findAllByRole('note')
  expect(notes.map(({ textContent }) => textContent?.slice(0, 25))).toEqual([
    'The customer unsubscribed',
    'Ada Lovelace unsubscribed',
  ])
})

test('whoever may not see reports adds none here', async () => {
  open([], {}, testSession(['customers.read']))
  expect(await screen.findByRole('button', { name: 'Add schedule' })).toHaveProperty('disabled', true)
})

test('of a customer the report is added for that customer', async () => {
  const api = mock([])
  const { user } = renderPage(<CustomerSchedules customerId="cus_1" />)
  await user.click(await screen.findByRole('button', { name: 'Add schedule' }))
  const dialog = await theForm()
  await user.click(await dialog.findByRole('button', { name: 'Add schedule' }))
  await waitFor(() => expect(sent(api, 'createReportSchedule')).toHaveLength(1))
  expect(sent(api, 'createReportSchedule')[0]).toMatchObject({
    ...{ report: 'customer', customer_id: 'cus_1', receiver_ids: [], cadence: 'monthly', month_day: 1, hour: 8 },
  })
  expect(dialog.queryByLabelText('Receivers')).toBeNull()
})
