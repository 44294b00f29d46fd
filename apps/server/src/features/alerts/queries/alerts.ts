import { randomUUID } from 'node:crypto'
import type { AlertEvent, AlertStatus, AlertSubject } from '@agency/contract/alerts'
import type { AlertSeverity } from '@agency/contract/monitoring'
import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'
import { toJson } from '../../../platform/json.ts'

type Db = Pick<AppContext, 'db'>
type Tx = Pick<TransactionContext, 'db' | 'clock'>

export type AlertRow = {
  id: string
  rule: string
  subject: AlertSubject
  subject_id: string
  subject_name: string
  link: string | null
  severity: AlertSeverity
  status: AlertStatus
  title: string
  detail: string
  opened_at: Date
  clear_since: Date | null
  acknowledged_at: Date | null
  snoozed_until: Date | null
  assignee_id: string | null
  resolved_at: Date | null
  resolved_by: string | null
  is_seen_still: boolean
  reopened: number
  first_reopened_at: Date | null
  is_flapping: boolean
  is_silenced: boolean
  notified_at: Date | null
  cause_id: string | null
  incident_id: string | null
}

const columns = sql`id, rule, subject, subject_id, subject_name, link, severity, status, title, detail, opened_at, clear_since,
  acknowledged_at, snoozed_until, assignee_id, resolved_at, resolved_by, is_seen_still, reopened, first_reopened_at,
  is_flapping, is_silenced, notified_at, cause_id, incident_id`

/** One evaluation at a time, over all processes. */
export async function lockAlerts({ db }: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('alerts', 0))`.execute(db)
}

export async function findActive({ db }: Db): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select ${columns} from alerts where status <> 'resolved' order by opened_at, id`.execute(db)
  return rows
}

/** The newest of each key that ended after `since`, or was ended by hand while it was still seen. */
export async function findEnded({ db }: Db, since: Date): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select distinct on (rule, subject, subject_id) ${columns} from alerts
    where status = 'resolved' and (resolved_at > ${since} or is_seen_still)
    order by rule, subject, subject_id, opened_at desc`.execute(db)
  return rows
}

export async function lockAlert({ db }: Db, id: string): Promise<AlertRow | undefined> {
  const { rows } = await sql<AlertRow>`select ${columns} from alerts where id = ${id} for update`.execute(db)
  return rows[0]
}

export async function findByIds({ db }: Db, ids: readonly string[]): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select ${columns} from alerts where id = any(${[...ids]}::text[]) order by opened_at, id`.execute(db)
  return rows
}

/** Together, however many: when much fails at once, whoever acknowledges it waits for this. */
export async function insertAlerts({ db, clock }: Tx, alerts: readonly AlertRow[]): Promise<void> {
  if (alerts.length === 0) return
  await sql`
    insert into alerts (id, rule, subject, subject_id, subject_name, link, severity, status, title, detail, opened_at,
      last_seen_at, is_silenced, cause_id)
    select id, rule, subject, subject_id, subject_name, link, severity, 'open', title, detail, opened_at,
      ${new Date(clock())}, is_silenced, cause_id
    from jsonb_populate_recordset(null::alerts, ${toJson(alerts)}::jsonb)`.execute(db)
}

/** Sites that joined stay: they were affected. */
export async function addSites({ db }: Db, joined: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const pairs = [...joined].flatMap(([alert, sites]) => sites.map((site) => ({ alert, site })))
  if (pairs.length === 0) return
  await sql`
    insert into alert_sites (alert_id, site_id, customer_id, opened_at)
    select a.id, s.id, s.customer_id, a.opened_at
    from jsonb_to_recordset(${toJson(pairs)}::jsonb) as p(alert text, site text)
    join alerts a on a.id = p.alert join sites s on s.id = p.site
    on conflict do nothing`.execute(db)
}

/** Writes down what an evaluation changes of alerts, which nobody else has changed since it took the lock. */
export async function writeAlerts({ db }: Db, alerts: Iterable<AlertRow>): Promise<void> {
  const rows = [...alerts]
  if (rows.length === 0) return
  await sql`
    update alerts a set (severity, status, title, detail, subject_name, link, is_silenced, cause_id, clear_since,
      acknowledged_at, acknowledged_by, snoozed_until, resolved_at, resolved_by, is_seen_still, reopened,
      first_reopened_at, is_flapping, notified_at) = (n.severity, n.status, n.title, n.detail, n.subject_name, n.link,
      n.is_silenced, n.cause_id, n.clear_since, n.acknowledged_at,
      case when n.acknowledged_at is not null then a.acknowledged_by end, n.snoozed_until, n.resolved_at, n.resolved_by,
      n.is_seen_still, n.reopened, n.first_reopened_at, n.is_flapping, n.notified_at)
    from jsonb_populate_recordset(null::alerts, ${toJson(rows)}::jsonb) n where a.id = n.id`.execute(db)
}

type Patch = Partial<Omit<AlertRow, 'id' | 'rule' | 'subject' | 'subject_id'>> & {
  last_seen_at?: Date
  acknowledged_by?: string | null
}

export async function patchAlert({ db }: Pick<TransactionContext, 'db'>, id: string, patch: Patch): Promise<void> {
  await db.updateTable('alerts').set(patch).where('id', '=', id).execute()
}

/** Those that are seen as they were. */
export async function touchSeen({ db }: Db, ids: readonly string[], at: Date): Promise<void> {
  await sql`
    update alerts set last_seen_at = ${at}, clear_since = null where id = any(${[...ids]}::text[])`.execute(db)
}

export type NewEvent = Pick<AlertEvent, 'kind' | 'actor' | 'text'>

/** In the order in which they are given. */
export async function insertEvents(
  { db, clock }: Tx,
  events: readonly (NewEvent & { alert_id: string })[],
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => ({ ...event, id: randomUUID() }))
  await sql`
    insert into alert_events (id, alert_id, at, kind, actor, text)
    select e.id, e.alert_id, ${new Date(clock())}, e.kind, e.actor, e.text
    from jsonb_array_elements(${toJson(rows)}::jsonb) with ordinality as given(value, place),
      jsonb_populate_record(null::alert_events, given.value) e
    order by place`.execute(db)
}

export const insertEvent = (tx: Tx, alertId: string, event: NewEvent): Promise<void> =>
  insertEvents(tx, [{ ...event, alert_id: alertId }])

/** For the order of lists; the figures that are shown are read when they are shown. */
export async function refreshMoney({ db }: Db): Promise<void> {
  await sql`
    update alerts a set mrr_at_risk = m.mrr
    from (
      select x.id, coalesce(round(sum(sub.mrr)), 0)::bigint as mrr
      from alerts x
      left join (
        select distinct t.alert_id, s.customer_id from alert_sites t join sites s on s.id = t.site_id
        where s.customer_id is not null
      ) c on c.alert_id = x.id
      left join subscriptions sub on sub.customer_id = c.customer_id and sub.deleted_at is null
      where x.status <> 'resolved' group by x.id
    ) m
    where m.id = a.id and a.mrr_at_risk <> m.mrr`.execute(db)
}

export async function setIncident(
  { db }: Pick<TransactionContext, 'db'>,
  ids: readonly string[],
  incidentId: string | null,
): Promise<void> {
  await sql`update alerts set incident_id = ${incidentId} where id = any(${[...ids]}::text[])`.execute(db)
}

export async function findPersonName({ db }: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select name from users where id = ${id} and is_active`.execute(db)
  return rows[0]?.name
}
