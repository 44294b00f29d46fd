import type { FeatureFlag, FlagChange, FlagRollout, FlagViewer } from '@agency/contract/types'

const nobody = { customers: [], sites: [], plans: [], domains: [] }

export const aFlag = (own: Partial<FeatureFlag> = {}): FeatureFlag => ({
  ...{ id: 'flag_1', name: 'new-checkout', description: 'The new checkout', enabled: true, rollout_percentage: 10 },
  ...{ rollout_by: 'visitor', always: nobody, never: nobody, prerequisites: [], kind: 'release', owner: null },
  ...{ guard: null, stage: 'rollout', stale: null, last_evaluated_at: null, rollout: null, version: 3 },
  ...{ created_at: '2026-11-01T10:00:00Z', created_by: 'Ada Lovelace', updated_at: '2026-11-20T10:00:00Z' },
  archived_at: null,
  ...own,
})

export const aRollout = (own: Partial<FlagRollout> = {}): FlagRollout => ({
  ...{ id: 'run_1', state: 'running', reason: null, needs_green: true, started_by: 'Ada Lovelace' },
  started_at: '2026-11-20T10:00:00Z',
  steps: [
    {
      ...{ enabled: true, rollout_percentage: 10, due_at: null, done_at: '2026-11-20T10:00:01Z', state: 'done' },
      note: null,
    },
    {
      ...{ enabled: true, rollout_percentage: 100, due_at: '2026-11-21T10:00:00Z', done_at: null, state: 'waiting' },
      note: null,
    },
  ],
  ...own,
})

export const aChange = (own: Partial<FlagChange> = {}): FlagChange => ({
  ...{ id: '7', at: '2026-11-20T10:00:00Z', actor: 'Ada Lovelace', action: 'update', version: 2 },
  ...{ lines: ['Rollout 5% → 10%'], can_revert: true },
  ...own,
})

export const aViewer = (own: Partial<FlagViewer> = {}): FlagViewer => ({
  ...{ id: 'site_1', site_name: 'Castine Chandlery', domain: 'castine.example', customer_name: 'Castine' },
  ...{ sees: 'yes', reason: 'Always on for it' },
  ...own,
})
