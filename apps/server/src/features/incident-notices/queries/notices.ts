import type { IncidentNotice, NoticeReceiver } from '@agency/contract/incident-notices'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { toJson } from '../../../platform/json.ts'

type Db = Pick<AppContext, 'db'>

/** The owners of the sites of an incident, each once, with their own sites alone. */
export async function findReceivers({ db }: Db, incidentId: string): Promise<NoticeReceiver[]> {
  const { rows } = await sql<NoticeReceiver>`
    select s.customer_id, min(c.name) as name, min(c.email) as address,
      case when min(c.id) is null or min(c.deleted_at) is not null or min(c.hidden_at) is not null then 'deleted'
        when not coalesce(bool_and(m.takes_notices), true) then 'opted_out'
        when coalesce(btrim(min(c.email)), '') = '' then 'no_address'
        else 'ready' end as standing,
      json_agg(s.domain order by s.domain) as sites
    from (
      select distinct t.site_id from alerts a join alert_sites t on t.alert_id = a.id where a.incident_id = ${incidentId}
    ) affected
    join sites s on s.id = affected.site_id and s.deleted_at is null
    left join customers c on c.id = s.customer_id
    left join customer_mail_choices m on m.customer_id = s.customer_id
    where s.customer_id is not null
    group by s.customer_id
    order by min(c.name) nulls last, s.customer_id`.execute(db)
  return rows
}

const noticeColumns = sql`n.id, iso_utc(n.created_at) as at, n.created_by as sent_by, n.subject, n.text, (
    select coalesce(json_agg(json_build_object('customer_id', r.customer_id, 'name', c.name, 'address', m.to_address,
      'state', r.state, 'sent_at', iso_utc(m.sent_at), 'error', m.error) order by c.name nulls last, r.customer_id), '[]')
    from incident_notice_receivers r left join customers c on c.id = r.customer_id left join mails m on m.id = r.mail_id
    where r.notice_id = n.id
  ) as receivers`

export async function findNotices({ db }: Db, incidentId: string): Promise<IncidentNotice[]> {
  const { rows } = await sql<IncidentNotice>`
    select ${noticeColumns} from incident_notices n where n.incident_id = ${incidentId}
    order by n.created_at desc, n.id desc limit 50`.execute(db)
  return rows
}

export async function findNotice({ db }: Db, id: string): Promise<IncidentNotice | undefined> {
  const { rows } = await sql<IncidentNotice>`
    select ${noticeColumns} from incident_notices n where n.id = ${id}`.execute(db)
  return rows[0]
}

type NewNotice = { id: string; incidentId: string; subject: string; text: string; at: Date; by: string }

export async function insertNotice({ db }: Db, { id, incidentId, subject, text, at, by }: NewNotice): Promise<void> {
  await sql`
    insert into incident_notices (id, incident_id, subject, text, created_at, created_by)
    values (${id}, ${incidentId}, ${subject}, ${text}, ${at}, ${by})`.execute(db)
}

type NewReceiver = { customer_id: string; mail_id: string }

/** Answers those that have not got the same before. */
export async function insertReceivers(
  { db }: Db,
  { id, incidentId, digest }: Pick<NewNotice, 'id' | 'incidentId'> & { digest: string },
  receivers: readonly NewReceiver[],
): Promise<NewReceiver[]> {
  const { rows } = await sql<NewReceiver>`
    insert into incident_notice_receivers (notice_id, incident_id, customer_id, digest, mail_id)
    select ${id}, ${incidentId}, customer_id, ${digest}, mail_id
    from jsonb_to_recordset(${toJson(receivers)}::jsonb) as r (customer_id text, mail_id text)
    on conflict do nothing returning customer_id, mail_id`.execute(db)
  return rows
}

export async function findMailOf(
  { db }: Db,
  { incidentId, noticeId, customerId }: { incidentId: string; noticeId: string; customerId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ mail_id: string }>`
    select mail_id from incident_notice_receivers
    where notice_id = ${noticeId} and incident_id = ${incidentId} and customer_id = ${customerId}`.execute(db)
  return rows[0]?.mail_id
}
