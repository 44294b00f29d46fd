import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { Condition, RulesInForce } from '../condition.ts'

type Row = {
  id: string
  site_name: string
  health: string
  detail: string | null
  outcome: string | null
  ssl_status: string
  ssl_expires_at: Date | null
  slow_ms: number | null
  is_heartbeat_missing: boolean
  is_silenced: boolean
}

const dayMs = 86_400_000
const hourMs = 3_600_000

/** Only what may be wrong is read: a site that is well and whose certificate lasts has no row. */
async function findSuspects(ctx: AppContext, now: Date, expiresBefore: Date, slowMs: number): Promise<Row[]> {
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs - hourMs)
  const { rows } = await sql<Row>`
    select s.id, s.site_name, s.health_status as health, s.health_detail as detail, p.last ->> 'outcome' as outcome,
      s.ssl_status, s.ssl_expires_at, h.response_ms as slow_ms,
      exists (select from site_heartbeats b where b.site_id = s.id and b.is_on and b.due_at <= ${now}) as is_heartbeat_missing,
      s.status = 'maintenance' or exists (
        select from maintenance_windows w
        where w.silences and w.starts_at <= ${now} and w.ends_at > ${now}
          and (w.is_for_all or exists (select from maintenance_sites m where m.window_id = w.id and m.site_id = s.id))
      ) as is_silenced
    from sites s
    left join site_probe_states p on p.site_id = s.id
    left join site_probe_hours h on h.site_id = s.id and h.hour = ${hour} and h.response_ms > ${slowMs}
    where s.deleted_at is null and s.at_provider in ('served', 'resuming', 'still_served') and (
      s.health_status in ('down', 'degraded') or s.ssl_status in ('expired', 'error')
      or s.ssl_expires_at < ${expiresBefore} or h.site_id is not null
    )
    order by s.id`.execute(ctx.db)
  return rows
}

const daysText = (days: number) => (days < 1 ? 'within a day' : `in ${days} ${days === 1 ? 'day' : 'days'}`)

/** What is wrong with one site. Its certificate is a matter of its own, beside whether it answers. */
function conditionsOf(row: Row, now: number, expiringDays: number): Pick<Condition, 'rule' | 'title' | 'detail'>[] {
  const { site_name: name, detail, ssl_expires_at: expiresAt } = row
  const found: Pick<Condition, 'rule' | 'title' | 'detail'>[] = []
  if (row.health === 'down') found.push({ rule: 'site.down', title: `${name} is down`, detail: detail ?? '' })
  // A certificate that degrades a site is a matter of its own.
  const isDegraded = row.is_heartbeat_missing || (row.outcome !== null && row.outcome !== 'ok')
  if (row.health === 'degraded' && isDegraded)
    found.push({ rule: 'site.degraded', title: `${name} is degraded`, detail: detail ?? '' })
  if (row.ssl_status === 'expired' || row.ssl_status === 'error') {
    const what = row.ssl_status === 'expired' ? 'has expired' : 'is not trusted'
    const why = detail?.includes('ertificate') ? detail : `The certificate ${what}`
    found.push({ rule: 'site.certificate_invalid', title: `The certificate of ${name} ${what}`, detail: why })
  } else if (expiresAt !== null && expiresAt.getTime() > now) {
    const days = Math.floor((expiresAt.getTime() - now) / dayMs)
    if (days < expiringDays)
      found.push({
        rule: 'site.certificate_expiring',
        title: `The certificate of ${name} expires ${daysText(days)}`,
        detail: `Valid until ${expiresAt.toISOString().slice(0, 10)}`,
      })
  }
  if (row.slow_ms !== null && row.health !== 'down')
    found.push({
      rule: 'site.slow',
      title: `${name} responds slowly`,
      detail: `Half of its answers in the last complete hour took more than ${(row.slow_ms / 1000).toFixed(1)} seconds`,
    })
  return found
}

export async function findSiteConditions(ctx: AppContext, rules: RulesInForce): Promise<Condition[]> {
  const now = ctx.clock()
  const days = rules.get('site.certificate_expiring')?.value ?? 0
  const slowMs = rules.get('site.slow')?.value ?? Number.MAX_SAFE_INTEGER
  const rows = await findSuspects(ctx, new Date(now), new Date(now + days * dayMs), slowMs)
  return rows.flatMap((row) =>
    conditionsOf(row, now, days).map((condition) => ({
      ...condition,
      subject: 'site' as const,
      subjectId: row.id,
      subjectName: row.site_name,
      link: `/admin/sites?open=${encodeURIComponent(row.id)}`,
      siteIds: [row.id],
      isSilenced: row.is_silenced,
    })),
  )
}
