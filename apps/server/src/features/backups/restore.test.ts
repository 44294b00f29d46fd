import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backup } from '@agency/contract/backups'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { createPerson } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { testAdminKey } from '../../../test/sign-in.ts'
import { createMaintenance } from '../../platform/maintenance.ts'
import { verifyTotals } from '../mirror/index.ts'
import { backupAs, backupsEnv, newestRestore, restoreAs, rootOf } from './test/world.ts'

let t: TestContext
let root: Caller
let env: Record<string, string>

beforeAll(async () => {
  env = await backupsEnv()
  t = await createTestContext({ env })
  root = await rootOf(t)
  await payments('before', 20)
})
afterAll(() => t?.close())

const sql = async (text: string, values: unknown[] = []) => (await t.ctx.pool.query(text, values)).rows
const payments = (prefix: string, count: number) =>
  insertRows(
    t.ctx.pool,
    'payments',
    Array.from({ length: count }, (_, n) => ({ id: `pi_${prefix}_${n}`, amount_captured: 1000 })),
  )
const countPayments = async () => (await sql('select count(*)::int as n from payments'))[0].n
const restoring = (backup: Backup, body: object = {}) =>
  root.post(`/admin/backups/${backup.id}/restore`, {
    ...{ confirmation: backup.name, identity_proof: testAdminKey },
    ...body,
  })

describe('a restore', () => {
  test('brings the data back, makes a backup first, and keeps what is never taken back', async () => {
    await sql(
      `insert into incidents (id, severity, status, title, opened_at) values ('inc_1', 'sev3', 'open', 'One', now())`,
    )
    await sql(`insert into report_schedules (id, report, customer_id, cadence, weekday, hour, time_zone, state, owner_type, owner_id, owner_name, created_at)
      values ('rs_1', 'customer', 'cus_1', 'weekly', 1, 8, 'UTC', 'paused', 'user', 'u', 'U', now())`)
    await sql(`insert into report_unsubscribes values ('rs_1', 'cus_back', now())`)
    const backup = await backupAs(t, root, 'Monday')
    await sql(`delete from report_unsubscribes; insert into report_unsubscribes values ('rs_1', 'cus_1', now())`)
    await payments('after', 7)
    await sql(`insert into money_actions (id, kind, target_id, payload, state, provider_key, actor_type, actor_id, actor_name, created_at)
      values ('act_1', 'sla_credit', 'cus_1', '{}', 'done', 'key', 'user', 'u', 'U', now())`)
    await sql(`insert into sla_credits (incident_id, customer_id, action_id, amount, currency, lines, created_at, created_by)
      values ('inc_1', 'cus_1', 'act_1', 500, 'usd', '[]', now(), 'U')`)
    const gone = await createPerson(t, { role: 'support' })
    const { key: apiKey, api_key } = (
      await root.post('/admin/api-keys', { name: 'Late', permissions: ['sites.read'] })
    ).json()
    await root.post(`/admin/api-keys/${api_key.id}/revoke`)
    const [{ last }] = await sql('select max(id)::int as last from audit_entries')
    const restore = await restoreAs(t, root, backup)
    expect(restore).toMatchObject({
      ...{ kind: 'restore', state: 'done', backup_name: 'Monday', can_return: true, progress: null },
      snapshot_at: backup.snapshot_at,
    })
    expect(await countPayments()).toBe(20)
    expect(await verifyTotals(t.ctx.db)).toEqual([])
    // The log goes on, and tells of the restore.
    const entries = await sql('select action, outcome, after from audit_entries where id > $1 order by id', [last])
    expect(entries.map(({ action }) => action)).toEqual([
      'backup.restore',
      'backup.finish',
      'backup.restore',
      'backup.replay',
    ])
    const [{ broken }] =
      await sql(`select count(*)::int as broken from audit_chain c join audit_entries e on e.id = c.entry_id
      where c.hash <> audit_digest(e, c.seq, coalesce((select hash from audit_chain b where b.seq = c.seq - 1), audit_genesis()))`)
    expect(broken).toBe(0)
    const [head] = await sql('select h.seq = (select max(seq) from audit_chain) as is_last from audit_head h')
    expect(head.is_last).toBe(true)
    // A credit that was given is not given again.
    expect(await sql('select action_id from sla_credits')).toEqual([{ action_id: 'act_1' }])
    // Nor does anybody get mails again who unsubscribed since.
    expect(await sql('select receiver_id from report_unsubscribes')).toEqual([{ receiver_id: 'cus_1' }])
    // Who may come in is as it was just before.
    expect((await sql('select id from users where id = $1', [gone.id])).length).toBe(1)
    expect((await request(t.ctx).withKey(apiKey).get('/sites')).statusCode).toBe(401)
    expect((await request(t.ctx).withKey(gone.key).get('/sites')).statusCode).toBe(401)
    expect(await sql('select count(*)::int as n from sessions')).toEqual([{ n: 0 }])
    // What was there is a backup.
    const safety = (await root.get(`/admin/backups/${restore.safety_backup_id}`)).json().backup
    expect(safety).toMatchObject({ state: 'done', cause: 'before_restore', name: 'Before restoring Monday' })
    expect(safety.tables).toContainEqual({ name: 'payments', rows: 27 })
    expect(restore.report.map(({ what }) => what)).toEqual([
      ...['Audit log', 'Access', 'Already sent', 'Stripe', 'Refunds', 'Domains', 'Deployments', 'Erasures', 'Console'],
    ])
  })

  test('asks for the name of the backup and who it is', async () => {
    const backup = await backupAs(t, root, 'Tuesday')
    const wrong = await restoring(backup, { confirmation: 'tuesday' })
    expect([wrong.statusCode, wrong.json().parameter]).toEqual([400, 'confirmation'])
    const stranger = await restoring(backup, { identity_proof: 'not-the-admin-key-of-this-one' })
    expect([stranger.statusCode, stranger.json().parameter]).toEqual([400, 'identity_proof'])
    const key = (await root.post('/admin/api-keys', { name: 'Reader', permissions: ['sites.read'] })).json().key
    const answer = await request(t.ctx).withKey(key).post(`/admin/backups/${backup.id}/restore`, {
      confirmation: 'Tuesday',
      identity_proof: 'x',
    })
    expect(answer.statusCode).toBe(403)
    expect((await newestRestore(root)).backup_name).toBe('Monday')
  })

  test('is refused for what is no whole backup here', async () => {
    const id = (await root.post('/admin/backups', { type: 'full', name: 'Open' })).json().backup.id
    const open = await root.post(`/admin/backups/${id}/restore`, { confirmation: 'Open', identity_proof: testAdminKey })
    expect(open.statusCode).toBe(409)
    await root.post(`/admin/backups/${id}/cancel`)
    await t.runJobs()
    const backup = await backupAs(t, root, 'Away')
    const folder = join(env['DATA_DIR'] ?? '', 'backups')
    await rename(join(folder, `${backup.id}.backup`), join(folder, '..', 'away'))
    expect((await restoring(backup)).json().detail).toContain('is not on this server')
  })

  test('nothing is changed while it runs, and reading goes on; it can be given up before it replaces anything', async () => {
    const backup = await backupAs(t, root, 'Wednesday')
    const { id } = (await restoring(backup)).json().restore
    await t.ctx.instance(createMaintenance).look()
    const refused = await root.patch('/admin/settings', { changes: { 'company.name': 'Other' } })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '15'])
    expect((await root.post('/admin/backups', { type: 'full', name: 'Now' })).statusCode).toBe(503)
    const hook = await request(t.ctx).anonymous().inject({ method: 'POST', url: '/webhooks/stripe', payload: '{}' })
    expect(hook.statusCode).toBe(503)
    // Whoever has seen its end is not refused because the news of it is still on its way.
    const turnSilently = (state: string) =>
      t.ctx.pool.query(`alter table restores disable trigger user; update restores set state = '${state}' where id = '${id}';
        alter table restores enable trigger user`)
    await turnSilently('cancelled')
    expect((await root.patch('/admin/settings', { changes: { 'company.name': 'Meanwhile' } })).statusCode).toBe(200)
    await turnSilently('open')
    await t.ctx.instance(createMaintenance).look()
    expect((await root.get('/admin/backups')).statusCode).toBe(200)
    const before = await countPayments()
    expect((await root.post(`/admin/restores/${id}/cancel`)).json().restore.state).toBe('cancelled')
    await t.runJobs()
    expect(await countPayments()).toBe(before)
    await t.ctx.instance(createMaintenance).look()
    expect((await root.patch('/admin/settings', { changes: { 'company.name': 'Other' } })).statusCode).toBe(200)
  })
})
