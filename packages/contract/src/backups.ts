import { z } from 'zod'
import { identityProof } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant, pageQuery, searchText } from './primitives.ts'

export const backupTypes = ['full', 'incremental'] as const
export const backupType = z.enum(backupTypes)
export type BackupType = z.output<typeof backupType>

export const backupStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export const backupState = z.enum(backupStates)
export type BackupState = z.output<typeof backupState>

export const backupProgress = z.object({
  /** `write`, `read_back`, … */
  step: z.string(),
  done: count.nullable(),
  total: count.nullable(),
  text: z.string().nullable(),
})
export type BackupProgress = z.output<typeof backupProgress>

export const backup = z.object({
  id: z.string(),
  name: z.string(),
  type: backupType,
  /** Who or what began it: `before_restore` is made by itself before a restore. */
  cause: z.enum(['asked', 'schedule', 'before_restore', 'command']),
  state: backupState,
  reason: z.string().nullable(),
  /** MB; null until it was read back. */
  size: z.number().nullable(),
  rows: count.nullable(),
  sha256: z.string().nullable(),
  /** Of which instant it is. */
  snapshot_at: instant.nullable(),
  /** Its file is in the data folder of this server. */
  is_here: z.boolean(),
  /** When it was read back from the store outside; null: it is not there. */
  stored_at: instant.nullable(),
  /** Of an incremental one: what it builds on (null: it is a base copy), and up to which moment its chain reaches with it. */
  chain: z.object({ base_id: z.string().nullable(), from: instant, until: instant }).nullable(),
  progress: backupProgress.nullable(),
  made_by: z.string(),
  created_at: instant,
  finished_at: instant.nullable(),
})
export type Backup = z.output<typeof backup>

export const backupDetails = z.object({
  ...backup.shape,
  tables: z.array(z.object({ name: z.string(), rows: count })),
  /** What the rows come to, by kind, state and currency: minor units as text. */
  totals: z.array(z.object({ what: z.string(), key: z.string(), rows: count, amount: z.string() })),
})
export type BackupDetails = z.output<typeof backupDetails>

const topics = ['backups'] as const
const permission = 'admin.system' as const
const one = z.object({ backup })

export const listBackups = endpoint({
  method: 'GET',
  path: '/admin/backups',
  permission,
  summary: 'Backups, newest first, and what runs now with its progress',
  query: z.strictObject({
    ...pageQuery(25),
    search: searchText.optional(),
    state: z.enum(['all', 'done', 'failed', 'cancelled', 'open']).default('all'),
  }),
  response: z.object({
    backups: z.array(backup),
    has_more: z.boolean(),
    total: count.nullable(),
    /** The store that backups also go to; null: none is set. */
    store: z.string().nullable(),
    /** Why no incremental backup can be made here; null: it can. */
    incremental_blocked: z.string().nullable(),
  }),
  topics,
  isPersonal: true,
})

export const getBackup = endpoint({
  method: 'GET',
  path: '/admin/backups/:id',
  permission,
  summary: 'One backup with what is in it: rows by table, and what the money comes to',
  params: idParams,
  response: z.object({ backup: backupDetails }),
  topics,
  isPersonal: true,
})

export const createBackup = endpoint({
  method: 'POST',
  path: '/admin/backups',
  permission,
  summary: 'Begin a backup; one at a time. It is done only after it was read back whole',
  body: z.strictObject({ type: backupType, name: z.string().trim().min(1).max(120) }),
  response: one,
  idempotent: true,
})

export const createMoment = endpoint({
  method: 'POST',
  path: '/admin/backups/:id/moment',
  permission,
  summary: 'Begin a full backup of the data as it was at a moment that the chain of an incremental backup reaches',
  params: idParams,
  body: z.strictObject({ at: instant, name: z.string().trim().min(1).max(120) }),
  response: one,
  idempotent: true,
})

export const cancelBackup = endpoint({
  method: 'POST',
  path: '/admin/backups/:id/cancel',
  permission,
  summary: 'Give up a backup that is not done; done twice it changes nothing',
  params: idParams,
  response: one,
})

export const deleteBackup = endpoint({
  method: 'DELETE',
  path: '/admin/backups/:id',
  permission,
  summary: 'Delete a backup with its file; one that runs is cancelled instead',
  params: idParams,
  response: z.object({ success: z.literal(true) }),
})

export const restoreStates = ['open', 'replaying', 'done', 'failed', 'cancelled', 'returned'] as const
export const restoreState = z.enum(restoreStates)
export type RestoreState = z.output<typeof restoreState>

export const restoreLine = z.object({
  /** What was kept or applied again: 'Audit log', 'Stripe', … */
  what: z.string(),
  text: z.string(),
  /** false: it could not be, or not all of it. */
  ok: z.boolean(),
})
export type RestoreLine = z.output<typeof restoreLine>

export const restore = z.object({
  id: z.string(),
  /** `return`: what an earlier restore had replaced came back. */
  kind: z.enum(['restore', 'return']),
  backup_id: z.string(),
  backup_name: z.string(),
  /** Of which instant the data is that came back. */
  snapshot_at: instant,
  state: restoreState,
  reason: z.string().nullable(),
  progress: backupProgress.nullable(),
  /** The backup that was made of the replaced data. */
  safety_backup_id: z.string().nullable(),
  report: z.array(restoreLine),
  /** The replaced data is kept, and can come back with one click. */
  can_return: z.boolean(),
  aside_until: instant.nullable(),
  made_by: z.string(),
  created_at: instant,
  switched_at: instant.nullable(),
  finished_at: instant.nullable(),
})
export type Restore = z.output<typeof restore>

const oneRestore = z.object({ restore })

export const listRestores = endpoint({
  method: 'GET',
  path: '/admin/restores',
  permission,
  summary: 'The newest restores: how far each is, what came along, and what was applied again',
  response: z.object({ restores: z.array(restore) }),
  topics,
  isPersonal: true,
})

export const restoreBackup = endpoint({
  method: 'POST',
  path: '/admin/backups/:id/restore',
  permission,
  summary: 'Put a backup in the place of the current data, after a backup of that; asks who it is once more',
  params: idParams,
  body: z.strictObject({
    /** The name of the backup, typed. */
    confirmation: z.string().max(200),
    identity_proof: identityProof,
  }),
  response: oneRestore,
  idempotent: true,
})

export const cancelRestore = endpoint({
  method: 'POST',
  path: '/admin/restores/:id/cancel',
  permission,
  summary: 'Give up a restore before it has replaced anything',
  params: idParams,
  response: oneRestore,
})

export const returnRestore = endpoint({
  method: 'POST',
  path: '/admin/restores/:id/return',
  permission,
  summary: 'Put the replaced data back in place; asks who it is once more',
  params: idParams,
  body: z.strictObject({ identity_proof: identityProof }),
  response: oneRestore,
  idempotent: true,
})

export const backupCadences = ['off', 'daily', 'weekly'] as const
export const backupCadence = z.enum(backupCadences)
export type BackupCadence = z.output<typeof backupCadence>

export const backupPlan = z.object({
  cadence: backupCadence,
  /** 0 is Sunday; of a weekly plan. */
  weekday: z.int().min(0).max(6),
  hour: z.int().min(0).max(23),
  time_zone: z.string(),
  /** So many scheduled backups are kept; those made by hand stay. */
  keep: z.int().min(1).max(365),
  next_at: instant.nullable(),
  version: z.int(),
})
export type BackupPlan = z.output<typeof backupPlan>

export const backupDrill = z.object({
  id: z.string(),
  backup_id: z.string(),
  backup_name: z.string(),
  /** Of which instant the data is that was restored. */
  snapshot_at: instant,
  state: z.enum(['open', 'done', 'failed']),
  reason: z.string().nullable(),
  progress: backupProgress.nullable(),
  /** What was compared and found equal. */
  report: z.object({ tables: count, rows: count, totals: count, migrations: count }).nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
})
export type BackupDrill = z.output<typeof backupDrill>

export const getBackupPlan = endpoint({
  method: 'GET',
  path: '/admin/backup-plan',
  permission,
  summary: 'When backups are made by themselves, whether the recovery kit was printed, and the newest drills',
  response: z.object({
    plan: backupPlan,
    /** When the kit of the current key was printed; null: it was not. */
    kit_printed_at: instant.nullable(),
    /** Newest first. */
    drills: z.array(backupDrill),
    /** When a backup was last proven by restoring it. */
    proven_at: instant.nullable(),
  }),
  topics,
  isPersonal: true,
})

export const saveBackupPlan = endpoint({
  method: 'PUT',
  path: '/admin/backup-plan',
  permission,
  summary: 'Change when backups are made by themselves and how many of them are kept',
  body: z.strictObject({ ...backupPlan.omit({ next_at: true, time_zone: true }).shape }),
  response: z.object({ plan: backupPlan }),
})

export const printRecoveryKit = endpoint({
  method: 'POST',
  path: '/admin/backup-plan/kit',
  permission,
  summary: 'What a fresh machine needs to restore a backup; told once for each key, after asking who it is once more',
  body: z.strictObject({
    /** Begin a new key, whose kit was not printed yet. Backups so far need the kit of the key before. */
    renew: z.boolean().default(false),
    identity_proof: identityProof,
  }),
  response: z.object({ secrets_key: z.string(), backup_key: z.string(), key_id: z.string(), command: z.string() }),
})

export const startDrill = endpoint({
  method: 'POST',
  path: '/admin/backup-plan/drill',
  permission,
  summary: 'Restore the newest backup into a database of its own now, and compare what is in it',
  response: z.object({ drill: backupDrill }),
})
