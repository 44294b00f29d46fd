import * as health from '@agency/contract/descriptors/health'
import * as mirror from '@agency/contract/descriptors/mirror'
import type { ImportProgress, MirrorState, SystemHealth } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../test/render.tsx'
import type { ResponseOf } from '../../lib/api.ts'
import { HealthPage } from './HealthPage.tsx'
import type { DeadEvent, DriftReport } from './mirror-words.ts'

// What loads on first use is there before the clock of a test runs.
beforeAll(async () => {
  await import('./DriftDialog.tsx')
})

const at = '2026-11-21T10:00:00Z'
const part = (status: 'healthy' | 'warning' | 'error' | 'unknown', detail = 'Measured') => ({
  status,
  detail,
  checked_at: at,
})

const snapshot = (change: Partial<SystemHealth> = {}): ResponseOf<typeof health.getHealth> => ({
  health: {
    overall: 'degraded',
    since: at,
    database: part('healthy', 'Answers in 3 ms'),
    cache: part('healthy'),
    storage: part('warning', '1 GB free'),
    network: part('healthy'),
    stripe: part('error', '<img src=x onerror=alert(1)>'),
    cloudflare: { status: 'unknown', detail: 'Cloudflare is not connected', checked_at: null },
    jobs: part('healthy'),
    uptime: 93_600,
    unexpected_restarts: 2,
    backup_proven_at: null,
    uptime_percent_24h: 99.95,
    lastCheck: new Date().toISOString(),
    ...change,
  },
  performance: {
    response_time_ms: 12,
    response_time_p95_ms: 40,
    error_rate_percent: 0.5,
    requests: 321,
    cpu_percent: 8,
    memory_percent: 8,
    memory_bytes: 1,
    storage_percent: 8,
    storage_free_bytes: 1,
    measured_at: at,
  },
})

const anImport = (change: Partial<ImportProgress> = {}): ImportProgress => ({
  id: 'imp_1',
  state: 'done',
  started_at: at,
  finished_at: at,
  objects: 1234,
  pages: 20,
  objects_per_second: null,
  remaining_seconds: null,
  steps: [
    { object: 'customer', state: 'done', objects: 60, pages: 1 },
    { object: 'payment_method', state: 'running', objects: 40, pages: 1 },
  ],
  error: null,
  ...change,
})

const aMirror = (change: Partial<MirrorState> = {}): MirrorState => ({
  problem: null,
  problem_since: null,
  first_import: anImport(),
  as_of: at,
  last_event_at: at,
  lag_p95_s: 1.5,
  pending_events: 4,
  dead_events: 1,
  last_reconcile_at: at,
  last_walk_at: null,
  last_drift: { id: 'run_1', differed: 2, repaired: 2, finished_at: at },
  webhook: { configured: true, last_received_at: at },
  ...change,
})

const aRun = (change: Partial<DriftReport> = {}): DriftReport => ({
  id: 'run_1',
  kind: 'events',
  state: 'done',
  started_at: at,
  finished_at: at,
  checked: 120,
  differed: 2,
  repaired: 2,
  error: null,
  ...change,
})

const anEvent: DeadEvent = {
  id: 'evt_1',
  type: 'invoice.paid',
  object_id: 'in_1',
  created_at: at,
  received_at: at,
  attempts: 5,
  error: 'The answer was not JSON',
}

let state: MirrorState
let events: DeadEvent[]

beforeEach(() => {
  state = aMirror()
  events = [anEvent]
  mockApi(health, { getHealth: () => snapshot() })
  mockApi(mirror, {
    getMirror: () => state,
    listDriftReports: () => ({ reports: [aRun()] }),
    listDeadEvents: () => ({ events }),
    getDriftReport: () => ({
      report: aRun(),
      rows: [{ object: 'customer', object_id: 'cus_1', difference: 'name: Ada → Grace', repaired: true }],
    }),
  })
})

const open = (options: Parameters<typeof renderPage>[1] = {}) =>
  renderPage(<HealthPage />, { route: '/admin/health', ...options })
const readOnly = testSession(allPermissions.filter((permission) => permission !== 'admin.system'))
const panel = (name: string) => within(screen.getByRole('region', { name }))
const card = async (label: string) =>
  (await screen.findByText(label, { selector: 'article *' })).closest('article')!.textContent

test('shows the overall state, the uptime and the restarts', async () => {
  open()
  await screen.findByRole('list', { name: 'Parts' })
  expect(screen.getByRole('heading', { level: 1, name: 'System Health' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Health' }).getAttribute('aria-current')).toBe('page')
  expect(screen.getByRole('link', { name: 'Metrics' }).getAttribute('href')).toBe('/admin/metrics')
  expect(await card('Overall')).toBe('OverallDegraded')
  expect(await card('Uptime, 24 hours')).toBe('Uptime, 24 hours99.95%')
  expect(await card('Running for')).toContain('1 d 2 h')
  expect(await card('Unexpected restarts')).toContain('2')
})

test('lists every part with its state, what was found, and when', async () => {
  open()
  const rows = within(await screen.findByRole('list', { name: 'Parts' })).getAllByRole('listitem')
  expect(rows.map((row) => row.firstElementChild?.textContent)).toEqual([
    ...['Database', 'Cache', 'Storage', 'Network', 'Stripe', 'Cloudflare', 'Jobs'],
  ])
  expect(rows[0]?.textContent).toContain('HealthyAnswers in 3 ms')
  expect(rows[5]?.textContent).toBe('CloudflareUnknownCloudflare is not connectedNot checked')
  expect(within(rows[4]!).getByText('<img src=x onerror=alert(1)>')).toBeTruthy()
  expect(document.querySelector('img')).toBeNull()
})

test('an uptime that is not measured yet is no figure', async () => {
  mockApi(health, { getHealth: () => snapshot({ uptime_percent_24h: null }) })
  open()
  await screen.findByRole('list', { name: 'Parts' })
  expect(await card('Uptime, 24 hours')).toBe('Uptime, 24 hours–UnavailableNot measured yet')
})

test('says how true the copy of Stripe is', async () => {
  open()
  const facts = async (label: string) =>
    (await screen.findByText(label, { selector: 'dt' })).nextElementSibling?.textContent
  expect(await facts('Delay of changes (p95, last hour)')).toBe('2 s')
  expect(await facts('Changes waiting')).toBe('4')
  expect(await facts('Changes that failed')).toBe('1')
  expect(await facts('All records compared')).toBe('Never')
  expect(await facts('Last comparison')).toBe('2 out of date, 2 fixed')
  expect(panel('Stripe mirror').getByText('Complete', { selector: 'p *' })).toBeTruthy()
})

test('a problem of the connection is told, and a webhook that is missing', async () => {
  state = aMirror({
    problem: 'Stripe refuses the key.',
    problem_since: at,
    webhook: { configured: false, last_received_at: null },
  })
  open()
  expect((await screen.findByText(/Stripe refuses the key\./)).closest('[role=alert]')).toBeTruthy()
  expect(screen.getByText('Not set up: changes arrive every ten minutes')).toBeTruthy()
})

test('an import that runs shows its progress and is cancelled', async () => {
  state = aMirror({
    as_of: null,
    first_import: anImport({ state: 'running', finished_at: null, objects_per_second: 50, remaining_seconds: 90 }),
  })
  const api = mockApi(mirror, { cancelImport: () => ({ success: true as const }) })
  const { user } = open()
  const bar = await screen.findByRole('progressbar', { name: 'First import' })
  expect(bar.getAttribute('aria-valuenow')).toBe('50')
  expect(screen.getByText('1,234 objects · 20 pages · 50 per second · about 1 min 30 s left')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Import everything again' })).toHaveProperty('disabled', true)
  state = aMirror({ as_of: null, first_import: anImport({ state: 'cancelled' }) })
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByText('Import cancelled. Imported records stay.')).toBeTruthy()
  expect(await screen.findByText('Cancelled')).toBeTruthy()
  expect(api.calls().filter(({ name }) => name === 'cancelImport')).toHaveLength(1)
})

test('a cancel that is refused says that the import continues', async () => {
  state = aMirror({ first_import: anImport({ state: 'running', finished_at: null }) })
  mockApi(mirror, { cancelImport: () => problem(409, { code: 'conflict', detail: 'No import is running' }) })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(await screen.findByText('The import continues.')).toBeTruthy()
})

test('the steps of an import are listed with their counts', async () => {
  open()
  const steps = (await screen.findByText('Steps of the import')).closest('details')!
  const rows = within(steps).getAllByRole('row', { hidden: true }).slice(1)
  expect(rows.map((row) => row.textContent)).toEqual(['CustomerComplete601', 'Payment methodRunning401'])
})

test.each([
  ['Compare recent events', 'events', 'Comparing recent events with Stripe'],
  ['Compare all records', 'walk', 'Comparing all records with Stripe'],
])('%s starts a comparison', async (label, kind, done) => {
  const api = mockApi(mirror, { startReconcile: () => ({ queued: true as const }) })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: label }))
  expect(await screen.findByText(done)).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'startReconcile')?.body).toEqual({ kind })
})

test('everything is imported again, and a refusal is told', async () => {
  const api = mockApi(mirror, { startImport: () => ({ queued: true as const }) })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Import everything again' }))
  expect(await screen.findByText('Importing everything from Stripe')).toBeTruthy()
  expect(api.calls().filter(({ name }) => name === 'startImport')).toHaveLength(1)
  mockApi(mirror, { startImport: () => problem(409, { code: 'conflict', detail: 'Stripe is not connected' }) })
  await user.click(screen.getByRole('button', { name: 'Import everything again' }))
  expect(await screen.findByText('The import did not start.')).toBeTruthy()
})

test('a comparison opens what differed, at an address of its own', async () => {
  const { user } = open()
  const table = within(await screen.findByRole('table', { name: 'Comparisons with Stripe' }))
  expect(table.getByText('2 fixed')).toBeTruthy()
  await user.click(table.getAllByRole('link')[0]!)
  expect(window.location.search).toBe('?run=run_1')
  const dialog = within(await screen.findByRole('dialog', { name: /Recent events/ }))
  const [, row] = await dialog.findAllByRole('row')
  expect(row?.textContent).toBe('Customercus_1name: Ada → GraceYes')
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(window.location.search).toBe('')
})

test('a failed event is replayed and leaves the list', async () => {
  const api = mockApi(mirror, {
    replayDeadEvent: () => {
      events = []
      return { queued: true as const }
    },
  })
  const { user } = open()
  const table = await screen.findByRole('table', { name: 'Failed events' })
  expect(within(table).getByText('The answer was not JSON')).toBeTruthy()
  await user.click(within(table).getByRole('button', { name: 'Replay invoice.paid' }))
  expect(await screen.findByText('No failed events')).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'replayDeadEvent')?.params).toEqual({ id: 'evt_1' })
})

test('nothing imported and nothing compared says what comes', async () => {
  state = aMirror({ first_import: null, as_of: null, last_drift: null })
  mockApi(mirror, { listDriftReports: () => ({ reports: [] }) })
  open()
  expect(await screen.findByText('No import yet')).toBeTruthy()
  expect(await screen.findByText(/^No comparison yet\./)).toBeTruthy()
  expect(screen.getByText('Not complete yet')).toBeTruthy()
})

test('without admin.system the buttons stay, and say what they need', async () => {
  state = aMirror({ first_import: anImport({ state: 'running', finished_at: null }) })
  open({ session: readOnly })
  await screen.findByRole('table', { name: 'Failed events' })
  for (const name of ['Cancel', 'Compare recent events', 'Import everything again', 'Replay invoice.paid']) {
    const button = screen.getByRole('button', { name })
    expect(button).toHaveProperty('disabled', true)
    expect(button.getAttribute('aria-description')).toBe('Needs the permission admin.system')
  }
})

test('without billing.read the console is shown and the mirror is not asked', async () => {
  const api = mockApi(health, { getHealth: () => snapshot() })
  open({ session: testSession(['sites.read']) })
  expect(await screen.findByText('Needs the permission billing.read')).toBeTruthy()
  await screen.findByRole('list', { name: 'Parts' })
  expect(new Set(api.calls().map(({ name }) => name))).toEqual(new Set(['getHealth']))
})

test('a failure is told once and can be tried again', async () => {
  mockApi(health, { getHealth: () => problem(503, { code: 'unavailable' }) })
  const { user } = open()
  const alert = await screen.findByText('Failed to load the state of the console.')
  expect(await card('Overall')).toBe('OverallDegradedUnavailable')
  expect(await card('Unexpected restarts')).toBe('Unexpected restarts–Unavailable')
  mockApi(health, { getHealth: () => snapshot() })
  await user.click(within(alert.closest<HTMLElement>('[role=alert]')!).getByRole('button', { name: 'Retry' }))
  await screen.findByRole('list', { name: 'Parts' })
})
