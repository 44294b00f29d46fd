import type { Client } from 'pg'
import { findColumn, qualified, readAuditHead } from '../../../db/archive/catalog.ts'
import { RowCopy } from '../../../db/archive/copy-rows.ts'

/**
 * Whether what is loaded is an earlier state of what is there: the log of the one goes on with that of the other. From before
 * the first entry it goes on with any.
 */
export async function isEarlierState(client: Client, from: string, to: string): Promise<boolean> {
  const head = await readAuditHead(client, to)
  if (!head) return isEmpty(client, qualified(to, 'audit_entries'))
  const [hash] = await findColumn<string>(
    client,
    `select encode(hash, 'hex') as value from ${qualified(from, 'audit_chain')} where seq = $1`,
    [head.seq],
  )
  return hash === head.hash
}

async function isEmpty(client: Client, table: string): Promise<boolean> {
  const [found] = await findColumn<boolean>(client, `select exists (select from ${table}) as value`)
  return found === false
}

/** Of a database that is no earlier state nothing fits: what is there stays aside, and only what this console did to it is kept. */
export async function keepOwn(client: Client, from: string, to: string): Promise<void> {
  const rows = await RowCopy.open(client, to)
  await rows.upsert({ table: 'backup_keys', from, to }, ['id'])
  await keepBackups(rows, from, to)
}

async function keepBackups(rows: RowCopy, from: string, to: string): Promise<void> {
  await rows.replace({ table: 'backups', from, to })
  await rows.replace({ table: 'restores', from, to })
  await rows.replace({ table: 'backup_drills', from, to })
  await rows.replace({ table: 'backup_plan', from, to })
  const ofBackups = `name like 'backups.%'`
  await rows.replace({ table: 'runs', from, to, where: ofBackups })
  await rows.add({ table: 'run_steps', from, to, only: `run_id in (select id from {from}.runs where ${ofBackups})` })
}

/** The log goes on where it was; its chain is what it was, so nothing is chained anew. */
async function keepAudit(client: Client, rows: RowCopy, from: string, to: string): Promise<void> {
  const entries = qualified(to, 'audit_entries')
  await client.query(`alter table ${entries} disable trigger user`)
  await rows.add({ table: 'audit_entries', from, to })
  await client.query(`alter table ${entries} enable trigger user`)
  await rows.add({ table: 'audit_chain', from, to })
  await rows.add({ table: 'customer_audit', from, to })
  await client.query(
    `update ${qualified(to, 'audit_head')} set (seq, hash) = (select seq, hash from ${qualified(from, 'audit_head')})`,
  )
  for (const table of ['audit_verifications', 'audit_seal_keys', 'audit_anchors', 'audit_sent_heads'])
    await rows.replace({ table, from, to })
}

/** Who may come in, and by what: a key that was revoked or a password that was changed since does not come back. */
async function keepAccess(client: Client, rows: RowCopy, from: string, to: string): Promise<void> {
  const [users, roles] = [qualified(to, 'users'), qualified(to, 'roles')]
  await client.query(`delete from ${users} where id not in (select id from ${qualified(from, 'users')})`)
  // Names and addresses are unique, also while they change hands.
  await client.query(`update ${roles} set name = 'r_' || left(md5(id), 30), display_name = 'r ' || id`)
  await client.query(`update ${users} set email = md5(id) || '@moving.invalid'`)
  await rows.upsert({ table: 'roles', from, to }, ['id'])
  await rows.upsert({ table: 'users', from, to }, ['id'])
  await client.query(`delete from ${roles} where id not in (select id from ${qualified(from, 'roles')})`)
  for (const table of ['recovery_codes', 'user_links', 'api_keys', 'sign_in_attempts', 'sign_in_lockouts'])
    await rows.replace({ table, from, to })
  await rows.replace({
    ...{ table: 'instance_settings', from, to },
    where: `key in ('admin_key', 'secrets.key', 'mirror.webhook')`,
  })
  await rows.upsert({ table: 'settings', from, to, where: 'sealed is not null' }, ['key'])
  await rows.add({ table: 'setting_versions', from, to, where: 'sealed is not null' })
}

/** What went out into the world: done once more it would be done twice. */
async function keepDeeds(rows: RowCopy, from: string, to: string): Promise<void> {
  await rows.replace({ table: 'money_actions', from, to })
  await rows.replace({ table: 'idempotency_keys', from, to })
  await rows.replace({ table: 'runs', from, to })
  await rows.add({ table: 'run_steps', from, to })
  // What somebody stopped does not start by itself.
  await rows.replace({ table: 'queue_pauses', from, to })
  await rows.replace({ table: 'mails', from, to })
  await rows.add({ table: 'mail_attachments', from, to })
  // An incident that the backup does not have yet asks for none of these again.
  const incidents = 'incident_id in (select id from {to}.incidents)'
  await rows.upsert({ table: 'sla_credits', from, to, only: incidents }, ['incident_id', 'customer_id'])
  await rows.add({ table: 'incident_notices', from, to, only: incidents })
  await rows.upsert({ table: 'incident_notice_receivers', from, to, only: incidents }, ['notice_id', 'customer_id'])
  await rows.add({ table: 'uptime_report_mails', from, to })
  const known = 'schedule_id in (select id from {to}.report_schedules)'
  await rows.replace({ table: 'report_deliveries', from, to, only: known })
  await rows.add({
    ...{ table: 'report_receivers', from, to },
    only: 'delivery_id in (select id from {to}.report_deliveries)',
  })
  // Whoever unsubscribed since gets no mail again.
  await rows.replace({ table: 'report_unsubscribes', from, to, only: known })
  await rows.replace({ table: 'impersonations', from, to })
  await rows.add({ table: 'impersonation_pages', from, to })
}

/** A number that was given out is not given out again. */
async function keepSequences(client: Client, from: string, to: string): Promise<void> {
  const names = await findColumn<string>(
    client,
    `select n.sequencename as value from pg_sequences n join pg_sequences o using (sequencename)
     where n.schemaname = $1 and o.schemaname = $2 and o.last_value is not null`,
    [to, from],
  )
  for (const name of names)
    await client.query(
      `select setval($1::regclass, greatest(o.last_value, n.last_value)) from ${qualified(from, name)} o, ${qualified(to, name)} n`,
      [qualified(to, name)],
    )
}

/** What a restore of an earlier state does not take back. */
export async function keepNewer(client: Client, from: string, to: string): Promise<void> {
  const rows = await RowCopy.open(client, to)
  await keepAudit(client, rows, from, to)
  await keepAccess(client, rows, from, to)
  await keepDeeds(rows, from, to)
  await rows.upsert({ table: 'backup_keys', from, to }, ['id'])
  await keepBackups(rows, from, to)
  await keepSequences(client, from, to)
}

/** What waited when the backup was made: sessions are over, and what was to be sent then is not sent now. */
export async function endWhatWaits(client: Client, schema: string, now: Date): Promise<void> {
  const text = 'Not sent: an older backup was restored'
  await client.query(`delete from ${qualified(schema, 'sessions')}`)
  await client.query(
    `update ${qualified(schema, 'channel_deliveries')} set state = 'failed', error = $1 where state = 'queued'`,
    [text],
  )
  await client.query(
    `update ${qualified(schema, 'mails')} set state = 'failed', error = $1 where state = 'queued' and created_at < $2`,
    [text, now],
  )
}

/** Everything is another: each process reads it anew. */
export async function tellTopics(client: Client, topics: readonly string[]): Promise<void> {
  for (const topic of topics) await client.query(`select pg_notify('changes', $1)`, [topic])
}
