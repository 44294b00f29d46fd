import { expect, test } from 'vitest'
import { stageOf, staleness } from './life.ts'

const dayMs = 86_400_000
const now = Date.parse('2026-11-25T12:00:00Z')
const ago = (days: number) => new Date(now - days * dayMs)
const nobody = { customers: [], sites: [], plans: [], domains: [] }
const flag = {
  ...{ enabled: true, rollout_percentage: 100, never: nobody, prerequisites: [], archived_at: null },
  ...{ first_enabled_at: ago(5), kind: 'release' as const, created_at: ago(5), updated_at: ago(5) },
}

test.each([
  [{}, 'everyone'],
  [{ rollout_percentage: 99 }, 'rollout'],
  [{ never: { ...nobody, sites: ['site_1'] } }, 'rollout'],
  [{ prerequisites: ['flag_2'] }, 'rollout'],
  [{ enabled: false }, 'off'],
  [{ enabled: false, first_enabled_at: null }, 'new'],
  [{ archived_at: ago(1) }, 'archived'],
])('%j is %s', (facts, stage) => {
  expect(stageOf({ ...flag, ...facts })).toBe(stage)
})

test.each([
  [{}, null],
  [{ updated_at: ago(14) }, /^On for everyone for 14 days/],
  [{ updated_at: ago(14), kind: 'permanent' as const }, null],
  [{ enabled: false, updated_at: ago(29) }, null],
  [{ enabled: false, updated_at: ago(30) }, /^Off for 30 days/],
  [{ rollout_percentage: 50, created_at: ago(41) }, /^41 days old, expected to be gone after 40$/],
  [{ rollout_percentage: 50, created_at: ago(8), kind: 'operational' as const }, /^8 days old/],
  [{ updated_at: ago(90), archived_at: ago(1) }, null],
])('of %j is said %s', (facts, said) => {
  const told = staleness({ ...flag, ...facts }, now)
  if (said === null) expect(told).toBeNull()
  else expect(told).toMatch(said)
})
