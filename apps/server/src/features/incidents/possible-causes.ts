import type { PossibleCause } from '@agency/contract/incidents'
import type { AffectedSite, ChangeRow } from './queries/changes.ts'

/** A change half an hour before counts half as much as one at the very moment. */
const halfLifeMs = 30 * 60_000
const mostForTime = 50
const mostShown = 20

/** How likely a change of its kind is to break a site. */
const guilt: Record<ChangeRow['kind'], number> = {
  deployment: 15,
  environment: 15,
  dns: 10,
  site: 8,
  flag: 12,
  setting: 5,
  plan: 3,
}

const deployments: Record<string, string> = {
  deploy: 'Deployed',
  retry: 'Deployed again',
  rollback: 'Rolled back',
}

/** What the audit log calls the other changes that may break a site. */
const audited: Record<string, string> = {
  'site.update': 'Changed the site',
  'site.update_settings': 'Changed the settings of the site',
  'site.set_status': 'Set the status of the site',
  'site.suspend': 'Suspended the site',
  'site.resume': 'Resumed the site',
  'site.update_environment': 'Changed variables of the site',
  'site.roll_back_environment': 'Rolled the variables of the site back',
  'domain.add_record': 'Added the DNS record',
  'domain.edit_record': 'Changed the DNS record',
  'domain.delete_record': 'Deleted the DNS record',
  'domain.undo_record': 'Undid a change of the DNS record',
  'domain.change_setting': 'Changed the domain setting',
  'domain.undo_setting': 'Undid a change of the domain setting',
  'domain.purge_cache': 'Purged the cache',
  'settings.change': 'Changed settings',
  'subscription.change_plan': 'Changed a plan',
  'feature_flag.create': 'Added the feature flag',
  'feature_flag.update': 'Changed the feature flag',
  'feature_flag.step': 'Rolled out the feature flag',
  'feature_flag.revert': 'Reverted the feature flag',
  'feature_flag.archive': 'Archived the feature flag',
  'feature_flag.restore': 'Restored the feature flag',
}

export const auditedChanges: readonly string[] = Object.keys(audited)
const labels = { ...deployments, ...audited }

function linkOf({ kind, id, site_id, flag_id }: ChangeRow): string | null {
  if (flag_id !== null) return `/admin/features?open=${encodeURIComponent(flag_id)}`
  if (kind === 'deployment') return `/admin/deployments?open=${encodeURIComponent(id)}`
  if (site_id !== null) return `/admin/sites?open=${encodeURIComponent(site_id)}`
  return `/admin/audit?open=${encodeURIComponent(id)}`
}

function undoOf({ kind, site_id, flag_id, undo_to, undo_name, newest }: ChangeRow): PossibleCause['undo'] {
  if (undo_to === null || undo_name === null) return null
  if (flag_id !== null && newest !== null)
    return { kind: 'flag', flag_id, to: Number(undo_to), version: newest, name: undo_name }
  if (site_id === null) return null
  if (kind === 'deployment') return { kind, site_id, to: undo_to, name: undo_name }
  if (kind !== 'environment' || newest === null) return null
  return { kind, site_id, to: Number(undo_to), version: newest, name: undo_name }
}

/** Changes before an incident, the likeliest cause first: by nearness in time, by what they touched, and by their kind. */
export function rankChanges(
  changes: readonly ChangeRow[],
  openedAt: Date,
  affected: readonly AffectedSite[],
): PossibleCause[] {
  const sites = new Set(affected.map(({ id }) => id))
  const customers = new Set(affected.flatMap(({ customer_id }) => customer_id ?? []))
  const scored = changes.map((change) => {
    const aheadMs = Math.max(0, openedAt.getTime() - change.at.getTime())
    const isSite = change.site_id !== null && sites.has(change.site_id)
    const isCustomer = !isSite && change.customer_id !== null && customers.has(change.customer_id)
    const isElsewhere = change.site_id !== null && !isSite && !isCustomer
    const time = mostForTime * 0.5 ** (aheadMs / halfLifeMs)
    const subject = isSite ? 35 : isCustomer ? 12 : isElsewhere ? 0 : 8
    // What touched another site hardly broke this one, however near it is.
    const score = Math.round((time + guilt[change.kind]) * (isElsewhere ? 0.3 : 1) + subject)
    const reasons: string[] = []
    if (isSite) reasons.push('The affected site')
    if (isCustomer) reasons.push('Another site of the same customer')
    return { change, score: Math.min(100, score), reasons, isSite }
  })
  return scored
    .sort((a, b) => b.score - a.score || b.change.at.getTime() - a.change.at.getTime())
    .slice(0, mostShown)
    .map(({ change, score, reasons, isSite }) => ({
      ...{ id: change.id, at: change.at.toISOString(), kind: change.kind, actor: change.actor },
      title: [labels[change.action] ?? change.action, change.name].filter(Boolean).join(' '),
      ...{
        site_name: change.site_name,
        link: linkOf(change),
        score,
        reasons,
        undo: isSite || change.kind === 'flag' ? undoOf(change) : null,
      },
    }))
}
