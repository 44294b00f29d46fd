import type { Incident } from '@agency/contract/incidents'
import { expect, test } from 'vitest'
import { draftPostmortem } from './postmortem.ts'

const incident = {
  ...{ number: 7, title: 'Harbor is down', severity: 'sev3' },
  ...{ opened_at: '2026-11-21T10:00:00.000Z', resolved_at: '2026-11-21T10:01:00.000Z' },
  ...{ affected_sites: 1, affected_customers: 1 },
} as Incident
const draft = (part: Partial<Incident>) => draftPostmortem({ ...incident, ...part }, [], []).split('\n')

test.each([
  [1, 1, '1 site, 1 customer'],
  [2, 0, '2 sites, 0 customers'],
])('%i and %i affected', (affected_sites, affected_customers, words) => {
  expect(draft({ affected_sites, affected_customers })).toContain(`- Affected: ${words}`)
})

test('severity and duration are written as on the screens', () => {
  expect(draft({})).toEqual(expect.arrayContaining(['- Severity: SEV3', '- Duration: 1 min']))
})
