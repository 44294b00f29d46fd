import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { FlagViewer, findFlagAudience, listFlagViewers } from '@agency/contract/feature-flags'
import type { AppContext, RequestContext } from '../../../context.ts'
import { invalidParameter } from '../../../platform/errors.ts'
import { findSiteFacts, type SiteFacts, searchAudience } from '../queries/audience.ts'
import { type FlagRow, findFlags } from '../queries/flags.ts'
import { type Rule, type Subject, verdictOf } from '../rollout.ts'
import { ruleOf } from '../rules.ts'
import { getFlagRow } from './get-flags.ts'

const subjectOf = ({ id, customer_id, domain, plans, ranks }: SiteFacts): Subject => ({
  ...{ key: null, site: id, customer: customer_id, domain, plans, ranks },
})

type Seen = Pick<FlagViewer, 'sees' | 'reason'>

function seenBy(rule: Rule, facts: SiteFacts, rules: ReadonlyMap<string, Rule>): Seen {
  const verdict = verdictOf(rule, subjectOf(facts), rules)
  if (verdict === 'key_missing') {
    // Of this flag, or of one that it needs.
    const reason =
      rule.by === 'visitor' && rule.percentage < 100 ? `${rule.percentage}% of its visitors` : 'Some of its visitors'
    return { sees: 'part', reason }
  }
  const reasons = {
    off: 'Switched off',
    prerequisite: `${verdict.because} is not on for it`,
    never: 'Never on for it',
    always: 'Always on for it',
    everyone: 'On for everyone',
    nobody: 'Only for those who are named',
    in: `Among the first ${rule.percentage}%`,
    out: `Not among the first ${rule.percentage}%`,
    unknown: rule.by === 'revenue' ? 'Its customer has no place in the order yet' : 'It has no customer',
  }
  return { sees: verdict.value ? 'yes' : 'no', reason: reasons[verdict.cause] }
}

/** Of all sites, by name: whether they see the flag now, and why. */
async function viewersOf(ctx: Pick<AppContext, 'db'>, flag: FlagRow): Promise<(SiteFacts & Seen)[]> {
  const rules = new Map((await findFlags(ctx)).filter((one) => !one.archived_at).map((one) => [one.id, ruleOf(one)]))
  const rule = rules.get(flag.id)
  const sites = await findSiteFacts(ctx)
  if (!rule) return sites.map((site) => ({ ...site, sees: 'no', reason: 'Archived' }))
  return sites.map((site) => ({ ...site, ...seenBy(rule, site, rules) }))
}

/** The sites that see a flag, at least in part, and whose they are. */
export async function exposedTo(ctx: Pick<AppContext, 'db'>, flag: FlagRow) {
  const seeing = (await viewersOf(ctx, flag)).filter(({ sees }) => sees !== 'no')
  return {
    sites: seeing.map(({ id }) => id),
    customers: [...new Set(seeing.flatMap(({ customer_id }) => customer_id ?? []))],
  }
}

export async function listViewers(
  ctx: RequestContext,
  id: string,
  { limit, starting_after, search = '', sees }: QueryOf<typeof listFlagViewers>,
): Promise<ResponseOf<typeof listFlagViewers>> {
  const all = await viewersOf(ctx, await getFlagRow(ctx, id))
  const wanted = search.toLowerCase()
  const found = all.filter(({ site_name, domain, customer_name }) =>
    [site_name, domain, customer_name ?? ''].some((text) => text.toLowerCase().includes(wanted)),
  )
  const count = (state: FlagViewer['sees']) => found.filter((viewer) => viewer.sees === state).length
  const matching = sees === 'all' ? found : found.filter((viewer) => viewer.sees === sees)
  const start = starting_after === undefined ? 0 : matching.findIndex((viewer) => viewer.id === starting_after) + 1
  if (starting_after !== undefined && start === 0)
    throw invalidParameter('starting_after', 'must be the id of an object of this list')
  return {
    viewers: matching.slice(start, start + limit).map(({ customer_id: _, plans: __, ranks: ___, ...viewer }) => viewer),
    has_more: matching.length > start + limit,
    total: matching.length,
    counts: { yes: count('yes'), part: count('part'), no: count('no') },
  }
}

export const findAudience = async (
  ctx: RequestContext,
  { kind, search = '' }: QueryOf<typeof findFlagAudience>,
): Promise<ResponseOf<typeof findFlagAudience>> => ({ found: await searchAudience(ctx, kind, search) })
