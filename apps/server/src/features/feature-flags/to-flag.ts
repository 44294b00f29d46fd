import type { FeatureFlag, FlagAudience, FlagRollout, RolloutStep } from '@agency/contract/feature-flags'
import { stageOf, staleness } from './life.ts'
import type { FlagRow } from './queries/flags.ts'
import type { RolloutRow } from './queries/rollouts.ts'
import type { Audience } from './rollout.ts'
import type { Naming } from './settings.ts'

const minuteMs = 60_000

const audienceOf = ({ customers, sites, plans, domains }: Audience, naming: Naming): FlagAudience => {
  const named = (ids: readonly string[], names: ReadonlyMap<string, string>) =>
    ids.map((id) => ({ id, name: names.get(id) ?? id }))
  return {
    customers: named(customers, naming.customers),
    sites: named(sites, naming.sites),
    plans: named(plans, naming.plans),
    domains: [...domains],
  }
}

export const isOpenRollout = (row: Pick<RolloutRow, 'state'> | undefined): boolean =>
  row?.state === 'waiting' || row?.state === 'running'

const stepStates: Record<string, RolloutStep['state']> = {
  waiting: 'waiting',
  running: 'due',
  done: 'done',
  skipped: 'done',
  cancelled: 'cancelled',
  failed: 'failed',
}

/** When each step is due, counted from the one before it, as far as that one is over or due itself. */
export function dueTimes({ options, created_at, steps }: Pick<RolloutRow, 'options' | 'created_at' | 'steps'>): Date[] {
  const times: Date[] = []
  for (const [index, { payload }] of steps.entries()) {
    const before = steps[index - 1]
    const base = before?.finished_at ? new Date(before.finished_at) : times[index - 1]
    const start = base ?? (options.starts_at === null ? created_at : new Date(options.starts_at))
    times.push(new Date(start.getTime() + (index === 0 ? 0 : payload.wait_minutes * minuteMs)))
  }
  return times
}

function rolloutOf(row: RolloutRow, { paused_at, paused_reason }: FlagRow): FlagRollout {
  const isOpen = isOpenRollout(row)
  const isPaused = isOpen && paused_at !== null
  const times = dueTimes(row)
  const state = row.state === 'waiting' ? 'running' : row.state
  return {
    ...{ id: row.id, state: isPaused ? 'paused' : state, reason: isPaused ? paused_reason : null },
    ...{ needs_green: row.options.needs_green, started_by: row.actor_name, started_at: row.created_at.toISOString() },
    steps: row.steps.map(({ state: step, payload, note, finished_at }, index) => ({
      ...{ enabled: payload.enabled, rollout_percentage: payload.rollout_percentage },
      due_at: isOpen && finished_at === null ? (times[index]?.toISOString() ?? null) : null,
      ...{ done_at: finished_at, state: stepStates[step] ?? 'waiting', note },
    })),
  }
}

/** A flag as it goes over the wire. */
export function toFlag(row: FlagRow, naming: Naming, rollout: RolloutRow | undefined, now: number): FeatureFlag {
  const { owner_id, owner_name } = row
  return {
    ...{ id: row.id, name: row.name, description: row.description, enabled: row.enabled },
    ...{ rollout_percentage: row.rollout_percentage, rollout_by: row.rollout_by },
    ...{ always: audienceOf(row.always, naming), never: audienceOf(row.never, naming) },
    prerequisites: row.prerequisites.map((id) => ({ id, name: naming.flags.get(id) ?? id })),
    ...{ kind: row.kind, guard: row.guard, stage: stageOf(row), stale: staleness(row, now) },
    owner: owner_id === null || owner_name === null ? null : { id: owner_id, name: owner_name },
    last_evaluated_at: row.last_evaluated_at?.toISOString() ?? null,
    rollout: rollout ? rolloutOf(rollout, row) : null,
    ...{ created_at: row.created_at.toISOString(), created_by: row.created_by, version: row.version },
    ...{ updated_at: row.updated_at.toISOString(), archived_at: row.archived_at?.toISOString() ?? null },
  }
}
