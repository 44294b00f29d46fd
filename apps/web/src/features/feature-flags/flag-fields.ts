import type * as featureFlags from '@agency/contract/descriptors/feature-flags'
import type { FeatureFlag, FlagAudience, FlagGuard, FlagKind, RolloutUnit } from '@agency/contract/types'
import type { Input } from '../../lib/api.ts'
import type { Problems } from '../../lib/form/use-edit-form.ts'

export type Named = { id: string; name: string }
export type AudienceFields = { customers: Named[]; sites: Named[]; plans: Named[]; domains: string }

export type FlagFields = {
  name: string
  description: string
  kind: FlagKind
  owner: Named[]
  rolloutBy: RolloutUnit
  percentage: string
  always: AudienceFields
  never: AudienceFields
  prerequisites: Named[]
  guardSites: string
  guardErrors: string
  guardRefunds: string
  switchesOff: boolean
}

type Terms = NonNullable<Input<typeof featureFlags.createFeatureFlag>['body']>

const nobody: AudienceFields = { customers: [], sites: [], plans: [], domains: '' }

export const newFields: FlagFields = {
  ...{ name: '', description: '', kind: 'release', owner: [], rolloutBy: 'visitor', percentage: '100' },
  ...{ always: nobody, never: nobody, prerequisites: [] },
  ...{ guardSites: '', guardErrors: '', guardRefunds: '', switchesOff: false },
}

const audienceFields = ({ customers, sites, plans, domains }: FlagAudience): AudienceFields => ({
  ...{ customers, sites, plans, domains: domains.join(' ') },
})
const limitField = (limit: number | null | undefined): string => (limit == null ? '' : String(limit))

export const fieldsOf = (flag: FeatureFlag): FlagFields => ({
  ...{ name: flag.name, description: flag.description, kind: flag.kind, owner: flag.owner ? [flag.owner] : [] },
  ...{ rolloutBy: flag.rollout_by, percentage: String(flag.rollout_percentage), prerequisites: flag.prerequisites },
  ...{ always: audienceFields(flag.always), never: audienceFields(flag.never) },
  ...{ guardSites: limitField(flag.guard?.sites), guardErrors: limitField(flag.guard?.errors) },
  ...{ guardRefunds: limitField(flag.guard?.refunds), switchesOff: flag.guard?.switches_off ?? false },
})

/** Undefined for what is no percentage. */
export function readPercentage(text: string): number | undefined {
  const value = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 101
  return value <= 100 ? value : undefined
}
export const percentageProblem = 'Enter a whole number from 0 to 100'

const domainsOf = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '')
const isDomain = (text: string): boolean => /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text)
const wrongDomain = ({ domains }: AudienceFields): string | undefined => {
  const wrong = domainsOf(domains).find((domain) => !isDomain(domain))
  return wrong === undefined ? undefined : `${wrong} is not a domain such as shop.example`
}

/** null: not watched. Undefined: no limit. */
function readLimit(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0
  return value >= 1 && value <= 1000 ? value : undefined
}
const limitProblem = (text: string) =>
  readLimit(text) === undefined ? 'Enter a whole number from 1 to 1,000, or nothing' : undefined

export function flagProblems(fields: FlagFields): Problems<FlagFields> {
  const name = fields.name.trim()
  return {
    name:
      name === ''
        ? 'Enter a name'
        : /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)
          ? undefined
          : 'Use letters, digits, dots, dashes and underscores',
    percentage: readPercentage(fields.percentage) === undefined ? percentageProblem : undefined,
    'always.domains': wrongDomain(fields.always),
    'never.domains': wrongDomain(fields.never),
    guardSites: limitProblem(fields.guardSites),
    guardErrors: limitProblem(fields.guardErrors),
    guardRefunds: limitProblem(fields.guardRefunds),
  }
}

const ids = (all: readonly Named[]): string[] => all.map(({ id }) => id)
const audienceTerms = ({ customers, sites, plans, domains }: AudienceFields) => ({
  ...{ customers: ids(customers), sites: ids(sites), plans: ids(plans), domains: domainsOf(domains) },
})

function guardOf(fields: FlagFields): FlagGuard | null {
  const [sites, errors, refunds] = [fields.guardSites, fields.guardErrors, fields.guardRefunds].map(
    (text) => readLimit(text) ?? null,
  ) as [number | null, number | null, number | null]
  if (sites === null && errors === null && refunds === null) return null
  return { sites, errors, refunds, switches_off: fields.switchesOff }
}

/** Everything but the name and what a rollout may set. */
export const sharedTerms = (fields: FlagFields) => ({
  ...{ description: fields.description.trim(), kind: fields.kind, owner_id: fields.owner[0]?.id ?? null },
  ...{ always: audienceTerms(fields.always), never: audienceTerms(fields.never) },
  ...{ prerequisites: ids(fields.prerequisites), guard: guardOf(fields) },
})

export const termsOf = (fields: FlagFields): Terms => ({
  ...{ name: fields.name.trim(), ...sharedTerms(fields) },
  ...{ rollout_by: fields.rolloutBy, rollout_percentage: readPercentage(fields.percentage) ?? 100 },
})
