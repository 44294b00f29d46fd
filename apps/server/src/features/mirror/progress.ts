import type { ImportProgress } from '@agency/contract/mirror'
import type { Import, ImportStep } from './queries/imports.ts'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** The step at work tells the pace; finished ones may have been much faster or slower. */
function paceOf(steps: readonly ImportStep[], nowMs: number): number | null {
  const running = steps.find((step) => step.state === 'running') ?? steps.findLast((step) => step.state === 'done')
  if (!running?.started_at || running.objects === 0) return null
  const seconds = ((running.finished_at?.getTime() ?? nowMs) - running.started_at.getTime()) / 1000
  return seconds > 0 ? running.objects / seconds : null
}

export function toProgress(
  found: Import,
  steps: readonly ImportStep[],
  expected: ReadonlyMap<string, number>,
  nowMs: number,
): ImportProgress {
  const objects = steps.reduce((sum, step) => sum + step.objects, 0)
  const pace = found.state === 'running' ? paceOf(steps, nowMs) : null
  const left = steps
    .filter((step) => step.state !== 'done')
    .reduce((sum, step) => sum + Math.max(0, (expected.get(step.object) ?? 0) - step.objects), 0)
  return {
    id: found.id,
    state: found.state as ImportProgress['state'],
    started_at: found.started_at.toISOString(),
    finished_at: iso(found.finished_at),
    objects,
    pages: steps.reduce((sum, step) => sum + step.pages, 0),
    objects_per_second: pace === null ? null : Math.round(pace * 10) / 10,
    remaining_seconds: pace === null || expected.size === 0 ? null : Math.round(left / pace),
    steps: steps.map((step) => ({
      object: step.object,
      state: step.state as ImportProgress['steps'][number]['state'],
      objects: step.objects,
      pages: step.pages,
    })),
    error: found.error,
  }
}
