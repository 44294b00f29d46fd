import type { MailChoices } from '@agency/contract/incident-notices'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

const columns = sql`coalesce(m.takes_notices, true) as takes_notices,
  coalesce(m.gets_uptime_report, false) as gets_uptime_report, coalesce(m.version, 0) as version`

/** What was never chosen is the default, version 0; undefined where there is no such customer. */
export async function findChoices({ db }: Db, customerId: string): Promise<MailChoices | undefined> {
  const { rows } = await sql<MailChoices>`
    select ${columns} from customers c left join customer_mail_choices m on m.customer_id = c.id
    where c.id = ${customerId} and c.deleted_at is null`.execute(db)
  return rows[0]
}

type Saved = Omit<MailChoices, 'version'> & { at: Date; by: string }

/** Answers false where somebody else was faster. */
export async function saveChoices(
  { db }: Db,
  customerId: string,
  version: number,
  { takes_notices, gets_uptime_report, at, by }: Saved,
): Promise<boolean> {
  const { rows } = await sql`
    insert into customer_mail_choices as m (customer_id, takes_notices, gets_uptime_report, updated_at, updated_by)
    values (${customerId}, ${takes_notices}, ${gets_uptime_report}, ${at}, ${by})
    on conflict (customer_id) do update set takes_notices = excluded.takes_notices,
      gets_uptime_report = excluded.gets_uptime_report, version = m.version + 1, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by
    where m.version = ${version}
    returning customer_id`.execute(db)
  return rows.length > 0
}
