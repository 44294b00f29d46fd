import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { DriftRow } from '../row.ts'

type Db = Pick<AppContext, 'db'>

const columns = sql.raw(`id text, class text, variant text, subject_name text, domain text, site_id text, zone_id text,
  customer_id text, customer_name text, subscription_id text, purchase_id text, since timestamptz, money jsonb,
  money_order bigint, evidence jsonb, repairs jsonb, facts text`)
const names = sql.raw(`id, class, variant, subject_name, domain, site_id, zone_id, customer_id, customer_name,
  subscription_id, purchase_id, since, money, money_order, evidence, repairs, facts`)
const kept = (alias: string) =>
  sql.raw(
    `(${[
      ...['variant', 'subject_name', 'domain', 'site_id', 'zone_id', 'customer_id', 'customer_name', 'subscription_id'],
      ...['purchase_id', 'since', 'money', 'money_order', 'evidence', 'repairs', 'facts'],
    ]
      .map((name) => `${alias}.${name}`)
      .join(', ')})`,
  )

/** The rows are what was found now: others go, and what is as before is not written. */
export async function replaceRows({ db }: Db, rows: readonly DriftRow[], at: Date): Promise<void> {
  await sql`delete from money_drift where id <> all(${rows.map(({ id }) => id)}::text[])`.execute(db)
  await sql`
    insert into money_drift (${names}, found_at)
    select ${names}, ${at}::timestamptz from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (${columns})
    on conflict (id) do update set variant = excluded.variant, subject_name = excluded.subject_name,
      domain = excluded.domain, site_id = excluded.site_id, zone_id = excluded.zone_id,
      customer_id = excluded.customer_id, customer_name = excluded.customer_name,
      subscription_id = excluded.subscription_id, purchase_id = excluded.purchase_id, since = excluded.since,
      money = excluded.money, money_order = excluded.money_order, evidence = excluded.evidence,
      repairs = excluded.repairs, facts = excluded.facts
    where ${kept('money_drift')} is distinct from ${kept('excluded')}`.execute(db)
}

export type Unjudged = { class: string; reason: string }

export async function noteLook({ db }: Db, at: Date, unjudged: readonly Unjudged[]): Promise<void> {
  await sql`
    update money_drift_looks set looked_at = ${at}, failed_at = null, failure = null,
      unjudged = ${JSON.stringify(unjudged)}::jsonb`.execute(db)
}

export async function noteFailure({ db }: Db, at: Date, failure: string): Promise<void> {
  await sql`update money_drift_looks set failed_at = ${at}, failure = ${failure}`.execute(db)
}

/** Dismissals that are over, a good while after their end. */
export async function deleteOldDismissals({ db }: Db, before: Date): Promise<void> {
  await sql`delete from money_drift_dismissals where until < ${before}`.execute(db)
}

export type LockedRow = { id: string; subject: string; facts: string }

export async function lockRow({ db }: Db, id: string): Promise<LockedRow | undefined> {
  const { rows } = await sql<LockedRow>`
    select id, subject_name as subject, facts from money_drift where id = ${id} for update`.execute(db)
  return rows[0]
}

export type Dismissal = { driftId: string; facts: string; reason: string; until: Date; at: Date; by: string }

export async function findDismissal({ db }: Db, id: string): Promise<Dismissal | undefined> {
  const { rows } = await sql<Dismissal>`
    select drift_id as "driftId", facts, reason, until, dismissed_at as at, dismissed_by as by
    from money_drift_dismissals where drift_id = ${id} for update`.execute(db)
  return rows[0]
}

export async function saveDismissal({ db }: Db, { driftId, facts, reason, until, at, by }: Dismissal): Promise<void> {
  await sql`
    insert into money_drift_dismissals (drift_id, facts, reason, until, dismissed_at, dismissed_by)
    values (${driftId}, ${facts}, ${reason}, ${until}, ${at}, ${by})
    on conflict (drift_id) do update set facts = excluded.facts, reason = excluded.reason, until = excluded.until,
      dismissed_at = excluded.dismissed_at, dismissed_by = excluded.dismissed_by`.execute(db)
}

export async function deleteDismissal({ db }: Db, id: string): Promise<void> {
  await sql`delete from money_drift_dismissals where drift_id = ${id}`.execute(db)
}
