import type { SiteSettings, SiteStatusChange, SiteSuspension } from '@agency/contract/types'
import type { RunRow } from '../../../platform/runs/queries.ts'
import type { findStatusChanges } from '../queries/history.ts'
import type { SiteRow } from '../queries/sites.ts'
import type { SuspensionRow } from '../queries/suspensions.ts'

export type ProviderSettings = { project?: string; branch?: string | null; callback?: boolean; host?: string }

export const providerSettingsOf = ({ provider_settings }: Pick<SiteRow, 'provider_settings'>): ProviderSettings =>
  provider_settings as ProviderSettings

export function toSettings(site: SiteRow): SiteSettings {
  const { project, branch, callback, host } = providerSettingsOf(site)
  return {
    version: site.version,
    provider: site.provider as SiteSettings['provider'],
    pages: site.provider === 'pages' && project !== undefined ? { project, branch: branch ?? null } : null,
    hook:
      site.provider === 'hook'
        ? { host: host ?? null, callback: callback ?? false, has_secret: site.hook_secret_sealed !== null }
        : null,
    health_path: site.health_path,
  }
}

type Changes = Awaited<ReturnType<typeof findStatusChanges>>

export const toStatusChange = ({ id, at, until, ...change }: Changes[number]): SiteStatusChange => ({
  id: String(id),
  at: at.toISOString(),
  from_status: change.from_status as SiteStatusChange['from_status'],
  to_status: change.to_status as SiteStatusChange['to_status'],
  cause: change.cause as SiteStatusChange['cause'],
  reason: change.reason,
  until: until?.toISOString() ?? null,
  actor_type: change.actor_type as SiteStatusChange['actor_type'],
  actor_name: change.actor_name,
})

/** `run`: what is being done about it at the provider. */
export const toSuspension = (row: SuspensionRow, run: RunRow | undefined): SiteSuspension => ({
  state: row.state as SiteSuspension['state'],
  reason: row.reason,
  by: row.actor_name,
  at: row.created_at.toISOString(),
  customer_id: row.customer_id,
  domains: row.domains,
  note: row.note,
  tries: run?.tries ?? 0,
  next_try_at: run && run.tries > 0 ? (run.next_try_at?.toISOString() ?? null) : null,
})
