import type * as sites from '@agency/contract/descriptors/sites'
import type { SiteEnvironment } from '@agency/contract/types'
import { type Input, newId } from '../../../lib/api.ts'

export type NewVariable = { id: string; name: string; value: string }

/** What is to become different; the values that are kept are never known here. */
export type EnvironmentDraft = {
  /** New values of variables that there are. */
  changed: Readonly<Record<string, string>>
  removed: readonly string[]
  added: readonly NewVariable[]
}

export const unchanged: EnvironmentDraft = { changed: {}, removed: [], added: [] }

export const emptyVariable = (): NewVariable => ({ id: newId(), name: '', value: '' })

type Names = readonly string[]
type Body = NonNullable<Input<typeof sites.saveSiteEnvironment>['body']>

export const namesOf = (environment: SiteEnvironment): string[] => environment.variables.map(({ name }) => name)

const isBlank = ({ name, value }: NewVariable): boolean => name.trim() === '' && value === ''
const filled = ({ added }: EnvironmentDraft): NewVariable[] => added.filter((row) => !isBlank(row))

/** The changes as the server takes them. */
export function bodyOf(draft: EnvironmentDraft, names: Names): Pick<Body, 'set' | 'remove'> {
  const { removed, changed } = differenceOf(draft, names)
  const set = [
    ...changed.map((name) => [name, draft.changed[name] ?? '']),
    ...filled(draft).map(({ name, value }) => [name.trim(), value]),
  ]
  return { set: Object.fromEntries(set), remove: removed }
}

/** What saving would do, by names. */
export function differenceOf(draft: EnvironmentDraft, names: Names) {
  const removed = draft.removed.filter((name) => names.includes(name))
  return {
    added: filled(draft).map(({ name }) => name.trim()),
    removed,
    changed: Object.keys(draft.changed).filter((name) => names.includes(name) && !removed.includes(name)),
  }
}

export function isChanged(draft: EnvironmentDraft, names: Names): boolean {
  return Object.values(differenceOf(draft, names)).some((part) => part.length > 0)
}

/** What is wrong with a new variable, told when the button is pressed. */
export function problemOf(row: NewVariable, draft: EnvironmentDraft, names: Names): string | undefined {
  if (isBlank(row)) return undefined
  const name = row.name.trim()
  if (name === '') return 'Enter a name'
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) return 'Use letters, digits and underscores; no digit first'
  const twice = draft.added.some((other) => other.id !== row.id && other.name.trim() === name)
  if (twice || (names.includes(name) && !draft.removed.includes(name))) return `${name} already exists`
  return names.includes(name) ? `${name} is marked for removal: keep it and change the value` : undefined
}

/** `2 added, 1 changed` */
export function differenceText(difference: Readonly<Record<'added' | 'removed' | 'changed', Names>>): string {
  const parts = (['added', 'changed', 'removed'] as const).filter((part) => difference[part].length > 0)
  return parts.map((part) => `${difference[part].length} ${part}`).join(', ') || 'no difference'
}

/** Pasted lines such as `NAME=value`; undefined where the text is something else. */
export function pastedVariables(text: string): NewVariable[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
  const pairs = lines.map((line) => /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/.exec(line))
  if (lines.length === 0 || pairs.includes(null)) return undefined
  return pairs.map((pair) => ({ id: newId(), name: pair?.[1] ?? '', value: unquoted(pair?.[2] ?? '') }))
}

function unquoted(text: string): string {
  const value = text.trim()
  return /^(["']).*\1$/s.test(value) && value.length > 1 ? value.slice(1, -1) : value
}
