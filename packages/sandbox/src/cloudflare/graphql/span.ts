import type { DatasetLimits, DatasetName } from './plans.ts'
import { type GraphqlPath, GraphqlRefusal } from './refusal.ts'

/** Half open, in milliseconds. */
export type Span = { since: number; until: number }

const dayMs = 86_400_000

function instantOf(value: unknown, key: string, isDate: boolean, path: GraphqlPath): number {
  const isGood = typeof value === 'string' && (isDate ? /^\d{4}-\d\d-\d\d$/ : /^\d{4}-\d\d-\d\dT[\d:.]+Z$/).test(value)
  const at = isGood ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at))
    throw new GraphqlRefusal(`error parsing args: filter.${key} is not a valid ${isDate ? 'Date' : 'Time'}`, path)
  return at
}

function narrow(span: Span, key: string, value: unknown, dataset: DatasetName, path: GraphqlPath): Span {
  const [field = '', operator = 'eq'] = key.split('_')
  const isDate = field === 'date'
  const known = dataset === 'httpRequests1dGroups' ? isDate : isDate || field === 'datetime' || field === 'datetimeHour'
  if (!known) throw new GraphqlRefusal(`error parsing args: unknown arg "${key}"`, path)
  const at = instantOf(value, key, isDate, path)
  const width = isDate ? dayMs : field === 'datetimeHour' ? 3_600_000 : 1
  const later = (since: number) => ({ ...span, since: Math.max(span.since, since) })
  const sooner = (until: number) => ({ ...span, until: Math.min(span.until, until) })
  if (operator === 'geq') return later(at)
  if (operator === 'gt') return later(at + width)
  if (operator === 'leq') return sooner(at + width)
  if (operator === 'lt') return sooner(at)
  if (operator === 'eq') return { since: Math.max(span.since, at), until: Math.min(span.until, at + width) }
  throw new GraphqlRefusal(`error parsing args: unknown arg "${key}"`, path)
}

function pairsOf(filter: unknown, path: GraphqlPath): [string, unknown][] {
  if (filter === undefined || filter === null) return []
  if (typeof filter !== 'object') throw new GraphqlRefusal('error parsing args: filter must be an object', path)
  return Object.entries(filter).flatMap(([key, value]) =>
    key === 'AND' && Array.isArray(value)
      ? value.flatMap((each) => pairsOf(each, path))
      : [[key, value] as [string, unknown]],
  )
}

/** The time that a filter asks for, refused where it is more than the plan gives. */
export function spanOf(
  filter: unknown,
  dataset: DatasetName,
  limits: DatasetLimits,
  now: number,
  path: GraphqlPath,
): Span {
  const ignored = new Set(['requestSource'])
  let span: Span = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }
  for (const [key, value] of pairsOf(filter, path)) {
    if (!ignored.has(key) && value !== undefined) span = narrow(span, key, value, dataset, path)
  }
  if (span.since === Number.NEGATIVE_INFINITY)
    throw new GraphqlRefusal('error parsing args: a begin of the time range is required', path)
  // A day that is asked for ends with the day, the data with now.
  const today = Math.floor(now / dayMs) * dayMs + dayMs
  const until = Math.min(span.until, today)
  if (span.since < now - limits.notOlderThan * 1000) {
    throw new GraphqlRefusal(`cannot request data older than ${limits.notOlderThan}s`, path)
  }
  if (until - span.since > limits.maxDuration * 1000) {
    const asked = Math.round((until - span.since) / 1000)
    throw new GraphqlRefusal(`cannot request a time range wider than ${limits.maxDuration}s, requested ${asked}s`, path)
  }
  return { since: span.since, until: Math.min(until, now) }
}
