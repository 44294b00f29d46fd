import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../context.ts'

type Db = Pick<AppContext, 'db'>

export type ReportCustomer = { id: string; name: string | null; email: string | null }

export async function findCustomer({ db }: Db, id: string): Promise<ReportCustomer | undefined> {
  const { rows } = await sql<ReportCustomer>`
    select id, name, email from customers where id = ${id} and deleted_at is null`.execute(db)
  return rows[0]
}

export type ReportedSite = { id: string; domain: string; created_at: Date; response_ms: number | null }

/** Those that were theirs in that month, with how fast they answered: the median of its hours. */
export async function findSites({ db }: Db, customerId: string, from: Date, to: Date): Promise<ReportedSite[]> {
  const { rows } = await sql<ReportedSite>`
    select s.id, s.domain, s.created_at, (
      select percentile_cont(0.5) within group (order by h.response_ms) from counted_site_hours h
      where h.site_id = s.id and h.hour >= ${from} and h.hour < ${to}
    ) as response_ms
    from sites s
    where s.customer_id = ${customerId} and s.deleted_at is null and s.created_at < ${to}
    order by s.domain, s.id`.execute(db)
  return rows
}

export type Outage = { domain: string; from: Date; to: Date | null }

/** By the windows of maintenance and, as long as they are kept, by the looks. */
const beganInMaintenance = sql`a.is_silenced and (
  site_in_maintenance(s.id, '', a.opened_at) or coalesce((
    select p.in_maintenance from site_probes p where p.site_id = s.id and p.at <= a.opened_at order by p.at desc limit 1
  ), true)
)`

/** From the first failed look on; without false positives, and without what maintenance alone was. */
export async function findOutages({ db }: Db, customerId: string, from: Date, to: Date): Promise<Outage[]> {
  const { rows } = await sql<Outage>`
    select s.domain, a.opened_at as "from", a.resolved_at as "to"
    from alerts a join sites s on s.id = a.subject_id left join incidents i on i.id = a.incident_id
    where a.subject = 'site' and a.rule = 'site.down' and s.customer_id = ${customerId} and s.deleted_at is null
      and a.opened_at < ${to} and coalesce(a.resolved_at, 'infinity') > ${from}
      and not coalesce(i.is_false_positive, false) and not (${beganInMaintenance})
    order by a.opened_at, s.domain limit 200`.execute(db)
  return rows
}

export type ReportedIncident = { number: number; opened_at: Date; resolved_at: Date | null; words: string[] }

/** Only what was said in public, oldest first. */
export async function findIncidents({ db }: Db, customerId: string, from: Date, to: Date): Promise<ReportedIncident[]> {
  const { rows } = await sql<ReportedIncident>`
    select i.number, i.opened_at, i.resolved_at, array(
      select u.text from incident_public_updates u where u.incident_id = i.id order by u.position
    ) as words
    from incidents i
    where i.merged_into is null and not i.is_false_positive and i.opened_at < ${to}
      and coalesce(i.resolved_at, 'infinity') > ${from}
      and exists (select from incident_public_updates u where u.incident_id = i.id)
      and exists (
        select from alerts a join alert_sites t on t.alert_id = a.id join sites s on s.id = t.site_id
        where a.incident_id = i.id and s.customer_id = ${customerId} and s.deleted_at is null
      )
    order by i.opened_at, i.number limit 100`.execute(db)
  return rows
}

export type ReportedDeployment = { domain: string; at: Date; version: string | null; status: string }

export async function findDeployments(
  { db }: Db,
  customerId: string,
  from: Date,
  to: Date,
): Promise<ReportedDeployment[]> {
  const { rows } = await sql<ReportedDeployment>`
    select s.domain, d.completed_at as at, d.version, d.status
    from deployments d join sites s on s.id = d.site_id
    where s.customer_id = ${customerId} and s.deleted_at is null and d.completed_at >= ${from} and d.completed_at < ${to}
      and d.status in ('success', 'failed')
    order by d.completed_at, d.id limit 500`.execute(db)
  return rows
}

/** Who is to get the report of a month and has not: they wanted it before the month was over. */
export async function findDue({ db }: Db, month: string, wantedBefore: Date): Promise<ReportCustomer[]> {
  const { rows } = await sql<ReportCustomer>`
    select c.id, c.name, c.email from customer_mail_choices m join customers c on c.id = m.customer_id
    where m.gets_uptime_report and m.updated_at < ${wantedBefore} and c.deleted_at is null and c.hidden_at is null
      and coalesce(btrim(c.email), '') <> ''
      and not exists (select from uptime_report_mails r where r.customer_id = c.id and r.month = ${month})
    order by c.id`.execute(db)
  return rows
}

/** Answers false where somebody else has written it already. */
export async function insertMail(
  { db }: Pick<TransactionContext, 'db'>,
  { customerId, month, mailId, at }: { customerId: string; month: string; mailId: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into uptime_report_mails (customer_id, month, mail_id, created_at)
    values (${customerId}, ${month}, ${mailId}, ${at}) on conflict do nothing returning month`.execute(db)
  return rows.length > 0
}
