import type { FlagGuard, FlagKind, RolloutUnit } from '@agency/contract/feature-flags'
import type { FlagPatch, FlagRow, Names } from './queries/flags.ts'
import type { Audience } from './rollout.ts'

/** What can be set of a flag, as the audit log keeps it and a revert brings it back. */
export type Settings = {
  name: string
  version: number
  description: string
  enabled: boolean
  rollout_percentage: number
  rollout_by: RolloutUnit
  always: Audience
  never: Audience
  prerequisites: readonly string[]
  kind: FlagKind
  owner: { id: string; name: string } | null
  guard: FlagGuard | null
}

export const settingsOf = (row: FlagRow): Settings => ({
  ...{ name: row.name, version: row.version, description: row.description, enabled: row.enabled },
  ...{ rollout_percentage: row.rollout_percentage, rollout_by: row.rollout_by, always: row.always, never: row.never },
  ...{ prerequisites: row.prerequisites, kind: row.kind, guard: row.guard },
  owner: row.owner_id === null || row.owner_name === null ? null : { id: row.owner_id, name: row.owner_name },
})

/** The columns that the settings of then had. */
export const patchOf = (then: Settings): FlagPatch => ({
  ...{ description: then.description, enabled: then.enabled, rollout_percentage: then.rollout_percentage },
  ...{ rollout_by: then.rollout_by, always: then.always, never: then.never, kind: then.kind, guard: then.guard },
  prerequisites: [...then.prerequisites],
  ...{ owner_id: then.owner?.id ?? null, owner_name: then.owner?.name ?? null },
})

/** More of those who ask may come to see it than before. */
export function isWider(before: FlagRow, after: FlagPatch): boolean {
  const now = { ...before, ...after }
  if (!now.enabled) return false
  if (!before.enabled || now.rollout_percentage > before.rollout_percentage) return true
  return (
    JSON.stringify([now.always, now.never, now.rollout_by]) !==
    JSON.stringify([before.always, before.never, before.rollout_by])
  )
}

/** Names by kind and id. */
export type Naming = Record<'customers' | 'sites' | 'plans' | 'flags', ReadonlyMap<string, string>>

export const namingOf = (names: Names, flags: readonly Pick<FlagRow, 'id' | 'name'>[]): Naming => {
  const byId = (all: readonly { id: string; name: string }[]) => new Map(all.map(({ id, name }) => [id, name]))
  return { customers: byId(names.customers), sites: byId(names.sites), plans: byId(names.plans), flags: byId(flags) }
}

/** All that these audiences name, for `findNames`. */
export function idsOf(audiences: readonly Audience[]) {
  const all = (of: 'customers' | 'sites' | 'plans') => [...new Set(audiences.flatMap((audience) => audience[of]))]
  return { customers: all('customers'), sites: all('sites'), plans: all('plans') }
}

const unitWords: Record<RolloutUnit, string> = {
  visitor: 'visitors',
  site: 'sites',
  customer: 'customers',
  revenue: 'customers, lowest revenue first',
}

const audienceWords = { customers: 'customer', sites: 'site', plans: 'plan' } as const

function audienceLines(label: string, before: Audience, after: Audience, naming: Naming): string[] {
  const lines: string[] = []
  const compare = (was: readonly string[], is: readonly string[], word: string, nameOf: (id: string) => string) => {
    for (const id of is) if (!was.includes(id)) lines.push(`${label}: added ${word} ${nameOf(id)}`)
    for (const id of was) if (!is.includes(id)) lines.push(`${label}: removed ${word} ${nameOf(id)}`)
  }
  for (const [kind, word] of Object.entries(audienceWords) as [keyof typeof audienceWords, string][])
    compare(before[kind], after[kind], word, (id) => naming[kind].get(id) ?? id)
  compare(before.domains, after.domains, 'domain', (domain) => domain)
  return lines
}

const guardText = (guard: FlagGuard | null): string => {
  if (guard === null) return 'Guard off'
  const { sites, errors, refunds, switches_off } = guard
  const limits = [
    sites !== null && `${sites} ${sites === 1 ? 'site' : 'sites'} with trouble`,
    errors !== null && `${errors} server ${errors === 1 ? 'error' : 'errors'}`,
    refunds !== null && `${refunds} ${refunds === 1 ? 'refund' : 'refunds'}`,
  ].filter((text) => text !== false)
  return `Guard: ${limits.join(', ')} ${switches_off ? 'switch it off' : 'pause the rollout'}`
}

/** What a change set, a line each. */
export function linesOf(before: Settings, after: Settings, naming: Naming): string[] {
  const lines: string[] = []
  if (before.enabled !== after.enabled) lines.push(after.enabled ? 'Switched on' : 'Switched off')
  if (before.rollout_percentage !== after.rollout_percentage)
    lines.push(`Rollout ${before.rollout_percentage}% → ${after.rollout_percentage}%`)
  if (before.rollout_by !== after.rollout_by) lines.push(`Percentage of ${unitWords[after.rollout_by]}`)
  lines.push(...audienceLines('Always on', before.always, after.always, naming))
  lines.push(...audienceLines('Never on', before.never, after.never, naming))
  const flagName = (id: string) => naming.flags.get(id) ?? id
  if (before.prerequisites.join() !== after.prerequisites.join())
    lines.push(
      after.prerequisites.length === 0
        ? 'Needs no other flag'
        : `Needs ${after.prerequisites.map(flagName).join(', ')}`,
    )
  if (before.description !== after.description) lines.push('Changed the description')
  if (before.kind !== after.kind) lines.push(`Kind: ${after.kind}`)
  if (before.owner?.id !== after.owner?.id) lines.push(after.owner ? `Owner: ${after.owner.name}` : 'No owner')
  if (JSON.stringify(before.guard) !== JSON.stringify(after.guard)) lines.push(guardText(after.guard))
  return lines
}
