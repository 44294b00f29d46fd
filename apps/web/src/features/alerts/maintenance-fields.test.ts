import { afterAll, beforeAll, expect, test } from 'vitest'
import { setTimeZone } from '../../lib/format-time.ts'
import { bodyOf, firstFields, type MaintenanceFields, maintenanceProblems } from './maintenance-fields.ts'

const now = Date.parse('2026-11-21T10:07:00Z')
const typed = (part: Partial<MaintenanceFields> = {}): MaintenanceFields => ({
  ...firstFields(now),
  title: 'Move to new servers',
  ...part,
})
const problemsOf = (part: Partial<MaintenanceFields>) =>
  Object.entries(maintenanceProblems(typed(part), now)).filter(([, problem]) => problem !== undefined)

beforeAll(() => setTimeZone('UTC'))
afterAll(() => setTimeZone(null))

test('begins with an hour from the next quarter on, of all sites, with both switches on', () => {
  expect(bodyOf(typed())).toEqual({
    title: 'Move to new servers',
    starts_at: '2026-11-21T10:15:00.000Z',
    ends_at: '2026-11-21T11:15:00.000Z',
    site_ids: [],
    silences: true,
    excludes_uptime: true,
  })
  expect(problemsOf({})).toEqual([])
})

test('sites that were chosen before all were are not sent', () => {
  const sites = [{ id: 's1', name: 'Cove' }]
  expect(bodyOf(typed({ reach: 'some', sites }))?.site_ids).toEqual(['s1'])
  expect(bodyOf(typed({ reach: 'all', sites }))?.site_ids).toEqual([])
  expect(bodyOf(typed({ from: '' }))).toBeNull()
})

test.each<[Partial<MaintenanceFields>, string, string]>([
  [{ title: ' ' }, 'title', 'Enter a title'],
  [{ title: 'x'.repeat(121) }, 'title', 'A title has 120 characters at most'],
  [{ from: '' }, 'from', 'Choose a time'],
  [{ until: 'soon' }, 'until', 'Choose a time'],
  [{ until: '2026-11-21T10:15' }, 'until', 'The end must be after the start'],
  [{ from: '2026-11-21T08:00', until: '2026-11-21T10:07' }, 'until', 'The end must be in the future'],
  [{ until: '2026-12-21T10:16' }, 'until', 'Maintenance takes 30 days at most'],
  [{ reach: 'some' }, 'sites', 'Choose at least one site'],
])('%j is refused', (part, field, problem) => {
  expect(problemsOf(part)).toEqual([[field, problem]])
})

test('may take 30 days', () => {
  expect(problemsOf({ until: '2026-12-21T10:15' })).toEqual([])
})

test('may have begun already', () => {
  expect(problemsOf({ from: '2026-11-21T08:00' })).toEqual([])
})
