import type { BuildPrivate, Stage } from '../types.ts'

export const stageNames = ['queued', 'initialize', 'clone_repo', 'build', 'deploy'] as const

/** How the stages share the time: the build takes longest. */
const shares = [0.5, 1, 1, 3, 1]

export const durationsOf = (stageMs: number) => shares.map((share) => Math.round(share * stageMs))

const iso = (ms: number) => new Date(ms).toISOString()
const idle = (name: Stage['name']): Stage => ({ name, started_on: null, ended_on: null, status: 'idle' })

/** What the stages of a build look like at a moment: they follow from when it began and what was laid down for it. */
export function stagesAt(created: number, build: BuildPrivate, now: number): Stage[] {
  const at = Math.min(now, build.stoppedAt ?? now)
  const stopped = build.stoppedAt !== null && build.stoppedAt <= now
  let start = created
  let failed = false
  return stageNames.map((name, index) => {
    const [from, end] = [start, start + (build.durations[index] ?? 0)]
    start = end
    if (failed || at < from) return idle(name)
    const began = { name, started_on: iso(from) }
    if (at < end) {
      return stopped
        ? { ...began, ended_on: iso(at), status: 'canceled' }
        : { ...began, ended_on: null, status: 'active' }
    }
    failed = build.failsAt === name
    return { ...began, ended_on: iso(end), status: failed ? 'failure' : 'success' }
  })
}

/** A push that the project's rules do not build. */
export const skippedStages = (created: number): Stage[] =>
  stageNames.map((name, index) =>
    index === 0 ? { name, started_on: iso(created), ended_on: iso(created), status: 'skipped' } : idle(name),
  )

/** The last stage that has begun. */
export const latestOf = (stages: Stage[]): Stage => stages.findLast(({ status }) => status !== 'idle') ?? stages[0]!

/** When the build ends, one way or the other. */
export function endOf(created: number, { durations, failsAt }: BuildPrivate): number {
  const last = failsAt === null ? stageNames.length - 1 : stageNames.indexOf(failsAt)
  return created + durations.slice(0, last + 1).reduce((sum, duration) => sum + duration, 0)
}

export const isFinished = (created: number, build: BuildPrivate, now: number) =>
  build.stoppedAt !== null || now >= endOf(created, build)
