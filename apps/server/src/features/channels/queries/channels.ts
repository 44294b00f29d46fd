import type { ChannelKind } from '@agency/contract/channels'
import type { AlertSeverity } from '@agency/contract/monitoring'
import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>
type Tx = Pick<TransactionContext, 'db'>

export type ChannelRow = {
  id: string
  kind: ChannelKind
  name: string
  target_sealed: string
  target_shown: string
  secret_sealed: string | null
  min_severity: AlertSeverity
  is_enabled: boolean
  created_at: Date
  last_sent_at: Date | null
  failing_since: Date | null
  last_error: string | null
  version: number
}

export async function findChannels({ db }: Db): Promise<ChannelRow[]> {
  const { rows } = await sql<ChannelRow>`select * from notification_channels order by lower(name), id`.execute(db)
  return rows
}

export async function findChannel({ db }: Db, id: string): Promise<ChannelRow | undefined> {
  const { rows } = await sql<ChannelRow>`select * from notification_channels where id = ${id}`.execute(db)
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
  'id' | 'kind' | 'name' | 'target_sealed' | 'target_shown' | 'secret_sealed' | 'min_severity' | 'created_at'
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

export async function deleteChannelRow({ db }: Tx, id: string): Promise<void> {
  await db.deleteFrom('notification_channels').where('id', '=', id).execute()
}

/** What became of the last try; no change of the channel itself. Answers since when it fails. */
export async function noteOutcome({ db }: Db, id: string, at: Date, error: string | null): Promise<void> {
  await sql`
    update notification_channels set last_error = ${error},
      last_sent_at = case when ${error}::text is null then ${at} else last_sent_at end,
      failing_since = case when ${error}::text is null then null else coalesce(failing_since, ${at}) end
    where id = ${id}`.execute(db)
}
