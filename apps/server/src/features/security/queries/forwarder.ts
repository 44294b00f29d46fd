import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

/** Who forwards without being trusted, and the TRUST_PROXY of that moment. */
export type Forwarder = { peer: string; trust: string; isNear: boolean }

const key = 'proxy.untrusted'

/** A stranger does not take the place of a peer nearby that still counts. */
export async function saveForwarder(
  { db }: Db,
  forwarder: Forwarder,
  { at, validSince }: { at: Date; validSince: Date },
) {
  await sql`
    insert into instance_settings as s (key, value, updated_at)
    values (${key}, ${JSON.stringify(forwarder)}::jsonb, ${at})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
    where ${forwarder.isNear} or not (s.value ->> 'isNear')::boolean or s.value ->> 'trust' <> ${forwarder.trust}
      or s.updated_at < ${validSince}
  `.execute(db)
}

export async function findForwarder({ db }: Db, trust: string, since: Date): Promise<Forwarder | undefined> {
  const { rows } = await sql<Forwarder>`
    select value ->> 'peer' as peer, value ->> 'trust' as trust, (value ->> 'isNear')::boolean as "isNear"
    from instance_settings where key = ${key} and value ->> 'trust' = ${trust} and updated_at >= ${since}
  `.execute(db)
  return rows[0]
}
