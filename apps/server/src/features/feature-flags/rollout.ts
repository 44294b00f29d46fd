import type { RolloutUnit } from '@agency/contract/feature-flags'

export type Audience = {
  customers: readonly string[]
  sites: readonly string[]
  plans: readonly string[]
  domains: readonly string[]
}
type Named = { [K in keyof Audience]: ReadonlySet<string> }

/** As much of a flag as decides who gets it. */
export type Rule = {
  id: string
  name: string
  enabled: boolean
  percentage: number
  by: RolloutUnit
  always: Named
  never: Named
  prerequisites: readonly string[]
}

/** Who asks, as far as it is known. */
export type Subject = {
  /** The visitor, in the words of the site. */
  key: string | null
  site: string | null
  customer: string | null
  domain: string | null
  plans: readonly string[]
  /** Where the customer stands among all, by what they pay, for each flag that counts so. */
  ranks: Readonly<Record<string, number>>
}

/** `unknown`: what the percentage counts is not known of who asks. */
export type Cause = 'off' | 'prerequisite' | 'never' | 'always' | 'everyone' | 'nobody' | 'in' | 'out' | 'unknown'

/** `key_missing`: it depends on the visitor, and none was named. */
export type Verdict = { value: boolean; cause: Cause; because?: string } | 'key_missing'

const places = 10_000

/**
 * A place from 0 to 9999 that stays the same, and is another one for each flag: whoever is among the first tenth of one is not
 * for that among the first tenth of all. FNV-1a, then the finalizer of MurmurHash3, which spreads keys that differ little.
 */
export function bucketOf(flagId: string, unit: string): number {
  const text = `${flagId}\n${unit}`
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % places
}

export const namedOf = ({ customers, sites, plans, domains }: Audience): Named => ({
  ...{ customers: new Set(customers), sites: new Set(sites), plans: new Set(plans), domains: new Set(domains) },
})

/** A domain that is named stands for those below it too. */
function isBelow(domain: string, named: ReadonlySet<string>): boolean {
  if (named.has(domain)) return true
  for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1))
    if (named.has(domain.slice(dot + 1))) return true
  return false
}

const isNamed = ({ customers, sites, plans, domains }: Named, subject: Subject): boolean =>
  (subject.customer !== null && customers.has(subject.customer)) ||
  (subject.site !== null && sites.has(subject.site)) ||
  (plans.size > 0 && subject.plans.some((plan) => plans.has(plan))) ||
  (domains.size > 0 && subject.domain !== null && isBelow(subject.domain, domains))

/** null: not known. */
function placeOf({ id, by }: Rule, { key, site, customer, ranks }: Subject): number | null {
  if (by === 'revenue') return ranks[id] ?? null
  const unit = by === 'site' ? site : by === 'customer' ? customer : key
  return unit === null ? null : bucketOf(id, unit)
}

/** Whether a flag is on for who asks. `rules`: all flags by id, for those that it needs. */
export function verdictOf(rule: Rule, subject: Subject, rules: ReadonlyMap<string, Rule>, depth = 0): Verdict {
  if (!rule.enabled) return { value: false, cause: 'off' }
  for (const id of rule.prerequisites) {
    const needed = rules.get(id)
    // Circles are refused when a flag is saved; one that came about all the same must not go on for ever.
    const verdict = needed && depth < rules.size ? verdictOf(needed, subject, rules, depth + 1) : undefined
    if (verdict === 'key_missing') return verdict
    if (!verdict?.value) return { value: false, cause: 'prerequisite', because: needed?.name ?? id }
  }
  if (isNamed(rule.never, subject)) return { value: false, cause: 'never' }
  if (isNamed(rule.always, subject)) return { value: true, cause: 'always' }
  if (rule.percentage >= 100) return { value: true, cause: 'everyone' }
  if (rule.percentage <= 0) return { value: false, cause: 'nobody' }
  const place = placeOf(rule, subject)
  if (place === null) return rule.by === 'visitor' ? 'key_missing' : { value: false, cause: 'unknown' }
  const isIn = place < (rule.percentage * places) / 100
  return { value: isIn, cause: isIn ? 'in' : 'out' }
}

/** The flags that each one needs, by id; names a flag that would need itself in the end. */
export function findCircle(start: string, needs: ReadonlyMap<string, readonly string[]>): string | null {
  const seen = new Set<string>()
  const left = [...(needs.get(start) ?? [])]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next === start) return start
    if (seen.has(next)) continue
    seen.add(next)
    left.push(...(needs.get(next) ?? []))
  }
  return null
}
