import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Backup, Restore } from '@agency/contract/backups'
import type { TestContext } from '../../../../test/context.ts'
import { secretsEnv } from '../../../../test/people.ts'
import { type Caller, request } from '../../../../test/request.ts'
import { testAdminKey } from '../../../../test/sign-in.ts'
import { asSystem } from '../../../context.ts'
import { createMaintenance } from '../../../platform/maintenance.ts'
import { ensureAdminKey } from '../../auth/index.ts'

/** The environment of a console that keeps its backups to itself. */
export const backupsEnv = async (): Promise<Record<string, string>> => ({
  ...secretsEnv,
  ADMIN_KEY: testAdminKey,
  DATA_DIR: await mkdtemp(join(tmpdir(), 'backups-')),
})

export async function rootOf({ ctx }: Pick<TestContext, 'ctx'>): Promise<Caller> {
  await ensureAdminKey(asSystem(ctx, 'job', 'start'))
  return request(ctx).withKey(testAdminKey)
}

/** Orders a full backup and has it made. */
export async function backupAs(t: TestContext, caller: Caller, name: string): Promise<Backup> {
  const ordered = await caller.post('/admin/backups', { type: 'full', name })
  if (ordered.statusCode !== 200) throw new Error(`not ordered: ${ordered.body}`)
  await t.runJobs()
  return (await caller.get(`/admin/backups/${ordered.json().backup.id}`)).json().backup
}

/** Restores it, to the end of the replay. */
export async function restoreAs(t: TestContext, caller: Caller, { id, name }: Backup): Promise<Restore> {
  const ordered = await caller.post(`/admin/backups/${id}/restore`, {
    confirmation: name,
    identity_proof: testAdminKey,
  })
  if (ordered.statusCode !== 200) throw new Error(`not ordered: ${ordered.body}`)
  await t.runJobs()
  // The news that it is over may still be on its way.
  await t.ctx.instance(createMaintenance).look()
  return newestRestore(caller)
}

export const newestRestore = async (caller: Caller): Promise<Restore> =>
  (await caller.get('/admin/restores')).json().restores[0]
