import { randomUUID } from 'node:crypto'
import type { Caller } from '../../../../test/request.ts'
import { testAdminKey } from '../../../../test/sign-in.ts'
import type { AppContext } from '../../../context.ts'
import { createMaintenance } from '../../../platform/maintenance.ts'

type Sent = { caller: Caller; path: string; body?: unknown }

/** Ends whatever backup, restore and drill is open. */
export async function endBackups(ctx: AppContext): Promise<void> {
  await ctx.pool.query(`update backups set state = 'cancelled', finished_at = now() where state = 'open'`)
  await ctx.pool.query(
    `update restores set state = 'cancelled', finished_at = now() where state in ('open', 'replaying')`,
  )
  await ctx.pool.query(
    `update backup_drills set state = 'failed', reason = 'r', finished_at = now() where state = 'open'`,
  )
  // Else calls are refused until the news has come that no restore runs any more.
  await ctx.instance(createMaintenance).look()
}

/** One call of every endpoint of backups that changes something, ready to succeed. */
export function backupSamples(ctx: () => AppContext, root: () => Caller): Record<string, () => Promise<Sent>> {
  const sql = (text: string, values: unknown[] = []) => ctx().pool.query(text, values)
  const calm = () => endBackups(ctx())
  const done = async (): Promise<string> => {
    await calm()
    const id = `bak_${randomUUID()}`
    await sql(
      `insert into backups (id, name, type, cause, state, bytes, sha256, snapshot_at, stored_at, maker_type, maker_id, maker_name,
         created_at, finished_at) values ($1, 'One', 'full', 'asked', 'done', 1, 'x', now(), now(), 'user', 'u', 'U', now(), now())`,
      [id],
    )
    return id
  }
  const ordered = async (): Promise<string> => {
    await calm()
    return (await root().post('/admin/backups', { type: 'full', name: 'One' })).json().backup.id
  }
  const identity_proof = testAdminKey
  return {
    createBackup: async () => {
      await calm()
      return { caller: root(), path: '/admin/backups', body: { type: 'full', name: 'One' } }
    },
    createMoment: async () => {
      const id = await done()
      const physical = { baseId: null, previousId: null, from: 'a', to: 'b', endsAt: '2026-11-21T12:00:00.000Z' }
      await sql(`update backups set type = 'incremental', summary = $2 where id = $1`, [
        id,
        JSON.stringify({ physical }),
      ])
      return { caller: root(), path: `/admin/backups/${id}/moment`, body: { at: physical.endsAt, name: 'Then' } }
    },
    cancelBackup: async () => ({ caller: root(), path: `/admin/backups/${await ordered()}/cancel` }),
    deleteBackup: async () => ({ caller: root(), path: `/admin/backups/${await done()}` }),
    restoreBackup: async () => ({
      ...{ caller: root(), path: `/admin/backups/${await done()}/restore` },
      body: { confirmation: 'One', identity_proof },
    }),
    cancelRestore: async () => {
      const body = { confirmation: 'One', identity_proof }
      const { restore } = (await root().post(`/admin/backups/${await done()}/restore`, body)).json()
      return { caller: root(), path: `/admin/restores/${restore.id}/cancel` }
    },
    returnRestore: async () => {
      const [id, backup] = [`rst_${randomUUID()}`, await done()]
      await sql(
        `insert into restores (id, backup_id, backup_name, snapshot_at, state, maker_type, maker_id, maker_name, created_at, switched_at,
           finished_at, aside_until) values ($1, $2, 'One', now(), 'done', 'user', 'u', 'U', now(), now(), now(), now() + interval '1 day')`,
        [id, backup],
      )
      return { caller: root(), path: `/admin/restores/${id}/return`, body: { identity_proof } }
    },
    saveBackupPlan: async () => {
      await calm()
      const { plan } = (await root().get('/admin/backup-plan')).json()
      const { version } = plan
      return {
        caller: root(),
        path: '/admin/backup-plan',
        body: { cadence: 'off', weekday: 1, hour: 4, keep: 9, version },
      }
    },
    printRecoveryKit: async () => ({
      ...{ caller: root(), path: '/admin/backup-plan/kit' },
      body: { renew: true, identity_proof },
    }),
    startDrill: async () => {
      await done()
      return { caller: root(), path: '/admin/backup-plan/drill' }
    },
  }
}
