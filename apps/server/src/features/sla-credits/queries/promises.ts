import type { PlanPromise, UptimePromise } from '@agency/contract/sla-credits'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { toJson } from '../../../platform/json.ts'

type Db = Pick<AppContext, 'db'>

const columns = sql`p.id as plan_id, p.name as plan_name, u.promise, coalesce(u.version, 0) as version,
  iso_utc(u.created_at) as changed_at, u.created_by as changed_by`
const newest = sql`left join lateral (
    select promise, version, created_at, created_by from uptime_promises where plan_id = p.id order by version desc limit 1
  ) u on true`

/** Of every product that is sold by subscription. */
export async function findPromises({ db }: Db): Promise<PlanPromise[]> {
  const { rows } = await sql<PlanPromise>`
    select ${columns} from products p ${newest}
    where p.deleted_at is null
      and exists (select from prices r where r.product_id = p.id and r.type = 'recurring' and r.deleted_at is null)
    order by p.name, p.id`.execute(db)
  return rows
}

export async function findPromise({ db }: Db, planId: string): Promise<PlanPromise | undefined> {
  const { rows } = await sql<PlanPromise>`
    select ${columns} from products p ${newest} where p.id = ${planId} and p.deleted_at is null`.execute(db)
  return rows[0]
}

type NewPromise = { planId: string; version: number; promise: UptimePromise | null; at: Date; by: string }

/** Answers false where somebody else has made this version. */
export async function insertPromise({ db }: Db, { planId, version, promise, at, by }: NewPromise): Promise<boolean> {
  const { rows } = await sql`
    insert into uptime_promises (plan_id, version, promise, created_at, created_by)
    values (${planId}, ${version}, ${promise === null ? null : toJson(promise)}::jsonb, ${at}, ${by})
    on conflict do nothing returning version`.execute(db)
  return rows.length > 0
}
