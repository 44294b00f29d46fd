import { toJson } from '../../store/json.ts'
import type { Queryable, Store } from '../../store/store.ts'
import { day } from '../../world/periods.ts'
import { insertDeployments } from '../rules/deployments.ts'
import { makeProjects, type SeededProjects } from './projects.ts'
import { makeZones, type SeededZone } from './zones.ts'

export type CloudflareSeed = {
  seed: string
  customers: number
  /** At least this many zones. */
  zones: number
  now: number
  account: { id: string; name: string }
}

const batch = 100

export async function insertZones(db: Queryable, schema: string, zones: SeededZone[]): Promise<void> {
  for (let from = 0; from < zones.length; from += batch) {
    await db.query(
      `insert into ${schema}.cf_zones (id, name, doc, records, priv)
       select * from json_to_recordset($1::json)
         as part (id text, name text, doc jsonb, records jsonb, priv jsonb)`,
      [toJson(zones.slice(from, from + batch))],
    )
  }
}

async function insertProjects(db: Queryable, schema: string, made: SeededProjects): Promise<void> {
  await db.query(
    `insert into ${schema}.cf_projects (name, id, created, doc, priv)
     select * from json_to_recordset($1::json) as part (name text, id text, created bigint, doc jsonb, priv jsonb)`,
    [toJson(made.projects)],
  )
  await db.query(
    `insert into ${schema}.cf_domains (name, id, project, created, zone)
     select * from json_to_recordset($1::json)
       as part (name text, id text, project text, created bigint, zone text)`,
    [toJson(made.domains)],
  )
  for (let from = 0; from < made.deployments.length; from += batch) {
    await insertDeployments(db, schema, made.deployments.slice(from, from + batch))
  }
}

const seededMark = 'cloudflare seeded'

/** Writes what is at Cloudflare, once, as it was at the start of the day. */
export async function seedCloudflare(store: Store, options: CloudflareSeed): Promise<void> {
  const now = Math.floor(options.now / 1000 / day) * day * 1000
  const client = await store.pool.connect()
  try {
    await client.query('begin')
    await store.lock(client)
    const { rowCount } = await client.query(`select 1 from ${store.schema}.kept where name = $1`, [seededMark])
    if (!rowCount) {
      const zones = makeZones({ ...options, now })
      const zoneIds = new Map(zones.map(({ name, id }) => [name, id]))
      await insertZones(client, store.schema, zones)
      await insertProjects(client, store.schema, makeProjects({ ...options, now, zoneIds }))
      await client.query(`insert into ${store.schema}.kept (name, value) values ($1, $2)`, [seededMark, toJson(now)])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}
