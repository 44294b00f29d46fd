import type { CheckSettings } from '@agency/contract/checks'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { toJson } from '../../../platform/json.ts'
import { type AskedSite, leaseSecondsOf } from '../check-settings.ts'
import { lockLooks } from './states.ts'

type Db = Pick<AppContext, 'db'>

export type KeptChecks = AskedSite & {
  settings: Partial<CheckSettings> | null
  version: number
  changedAt: Date | null
}

const columns = sql`s.domain, s.deployment_url as "deploymentUrl", s.health_path as "healthPath", c.settings,
  coalesce(c.version, 0) as version, c.changed_at as "changedAt"`

export async function findChecks({ db }: Db, siteId: string): Promise<KeptChecks | undefined> {
  const { rows } = await sql<KeptChecks>`
    select ${columns} from sites s left join site_checks c on c.site_id = s.id
    where s.id = ${siteId} and s.deleted_at is null
  `.execute(db)
  return rows[0]
}

/** The site is locked: two first changes would find no settings to lock. */
export async function lockChecks({ db }: Db, siteId: string): Promise<KeptChecks | undefined> {
  await lockLooks({ db }, siteId)
  const { rows } = await sql<KeptChecks>`
    select ${columns} from sites s left join site_checks c on c.site_id = s.id
    where s.id = ${siteId} and s.deleted_at is null for no key update of s
  `.execute(db)
  return rows[0]
}

export async function upsertChecks(
  { db }: Db,
  siteId: string,
  { settings, version, changedAt }: { settings: CheckSettings; version: number; changedAt: Date },
): Promise<void> {
  await sql`
    insert into site_checks (site_id, settings, interval_s, lease_s, version, changed_at)
    values (${siteId}, ${toJson(settings)}::jsonb, ${settings.interval_seconds}, ${leaseSecondsOf(settings)}, ${version},
      ${changedAt})
    on conflict (site_id) do update set settings = excluded.settings, interval_s = excluded.interval_s,
      lease_s = excluded.lease_s, version = excluded.version, changed_at = excluded.changed_at
  `.execute(db)
}
