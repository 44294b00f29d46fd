import type { auditDifference } from '@agency/contract/audit'
import type { z } from 'zod'

type Difference = z.output<typeof auditDifference>

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every value that is no object of further values, by its path. A list is one value: its order counts. */
function flatten(value: unknown, path: string, into: Map<string, unknown>): Map<string, unknown> {
  if (!isRecord(value) || Object.keys(value).length === 0) return into.set(path, value)
  for (const [name, inner] of Object.entries(value)) flatten(inner, path === '' ? name : `${path}.${name}`, into)
  return into
}

const flat = (value: unknown): Map<string, unknown> =>
  value === null || value === undefined ? new Map() : flatten(value, '', new Map())

function kindOf(path: string, before: Map<string, unknown>, after: Map<string, unknown>): Difference['kind'] {
  if (!before.has(path)) return 'added'
  if (!after.has(path)) return 'removed'
  return JSON.stringify(before.get(path)) === JSON.stringify(after.get(path)) ? 'same' : 'changed'
}

/** What an entry changed, value by value, in the order in which they were written down. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [was, is] = [flat(before), flat(after)]
  return [...new Set([...was.keys(), ...is.keys()])].map((path) => ({
    path,
    before: was.get(path) ?? null,
    after: is.get(path) ?? null,
    kind: kindOf(path, was, is),
  }))
}
