import type { ChannelKind } from '@agency/contract/channels'
import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>
type Tx = Pick<TransactionContext, 'db'>

export type ChannelRow = {
  id: string
  kind: ChannelKind
  name: string
  /** null where all of it may be shown. */
  target_sealed: string | null
  target_shown: string
  secret_sealed: string | null
  is_enabled: boolean
  is_escalation: boolean
  created_at: Date
  last_sent_at: Date | null
  failing_since: Date | null
  dead_since: Date | null
  last_error: string | null
  failures: number
  version: number
}

export type ListedChannel = ChannelRow & { routes: number }

const listed = sql`
  select c.*, (select count(*) from notification_routes r where r.channel_id = c.id and r.is_enabled) as routes
  from notification_channels c`

export async function findChannels({ db }: Db): Promise<ListedChannel[]> {
  const { rows } = await sql<ListedChannel>`${listed} order by lower(c.name), c.id`.execute(db)
  return rows
}

export async function findListed({ db }: Db, id: string): Promise<ListedChannel | undefined> {
  const { rows } = await sql<ListedChannel>`${listed} where c.id = ${id}`.execute(db)
  return rows[0]
}

export async function findChannel({ db }: Db, id: string): Promise<ChannelRow | undefined> {
  const { rows } = await sql<ChannelRow>`select * from notification_channels where id = ${id}`.execute(db)
  return rows[0]
}

export async function findPushChannel({ db }: Db): Promise<ChannelRow | undefined> {
  const { rows } = await sql<ChannelRow>`select * from notification_channels where kind = 'push'`.execute(db)
  return rows[0]
}

export async function findEscalation({ db }: Db): Promise<ChannelRow | undefined> {
  const { rows } = await sql<ChannelRow>`
    select * from notification_channels where is_escalation and is_enabled`.execute(db)
  return rows[0]
}

export async function lockChannel({ db }: Tx, id: string): Promise<ChannelRow | undefined> {
  const { rows } = await sql<ChannelRow>`select * from notification_channels where id = ${id} for update`.execute(db)
  return rows[0]
}

export async function isNameTaken({ db }: Db, name: string, exceptId: string): Promise<boolean> {
  const { rows } = await sql`
    select from notification_channels where lower(name) = lower(${name}) and id <> ${exceptId}`.execute(db)
  return rows.length > 0
}

type NewChannel = Pick<
  ChannelRow,
  'id' | 'kind' | 'name' | 'target_sealed' | 'target_shown' | 'secret_sealed' | 'created_at'
>

export async function insertChannel({ db }: Tx, channel: NewChannel): Promise<void> {
  await db.insertInto('notification_channels').values(channel).execute()
}

type Patch = Partial<Omit<ChannelRow, 'id' | 'kind' | 'created_at' | 'version'>>

export async function patchChannel({ db }: Tx, id: string, patch: Patch): Promise<void> {
  await db
    .updateTable('notification_channels')
    .set({ ...patch, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** There is one at most. Answers which one it was. */
export async function clearEscalation({ db }: Tx, exceptId: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    update notification_channels set is_escalation = false, version = version + 1
    where is_escalation and id <> ${exceptId} returning name`.execute(db)
  return rows[0]?.name ?? null
}

export async function deleteChannelRow({ db }: Tx, id: string): Promise<void> {
  await db.deleteFrom('notification_channels').where('id', '=', id).execute()
}

/** As long and as often a channel may fail before it counts as dead. */
const deadAfter = { failures: 5, ms: 5 * 60_000 }

export async function noteSuccess({ db }: Db, id: string, at: Date): Promise<void> {
  await sql`
    update notification_channels
    set last_error = null, last_sent_at = ${at}, failing_since = null, dead_since = null, failures = 0
    where id = ${id}`.execute(db)
}

/** What became of a try; no change of the channel itself. `isGivenUp`: it was the last one of a message. */
export async function noteFailure({ db }: Db, id: string, at: Date, error: string, isGivenUp: boolean): Promise<void> {
  const longAgo = new Date(at.getTime() - deadAfter.ms)
  await sql`
    update notification_channels set last_error = ${error}, failures = failures + 1,
      failing_since = coalesce(failing_since, ${at}),
      dead_since = case when ${isGivenUp} or (failures + 1 >= ${deadAfter.failures} and failing_since <= ${longAgo})
        then coalesce(dead_since, ${at}) else dead_since end
    where id = ${id}`.execute(db)
}
