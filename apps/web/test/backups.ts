import type { Backup, BackupPlan, Restore } from '@agency/contract/types'

export const aBackup = (own: Partial<Backup> = {}): Backup => ({
  ...{ id: 'bak_1', name: 'Monday', type: 'full', cause: 'asked', state: 'done', reason: null, size: 12.5, rows: 4000 },
  ...{
    sha256: 'a'.repeat(64),
    snapshot_at: '2026-11-21T12:00:00Z',
    is_here: true,
    stored_at: null,
    progress: null,
    chain: null,
  },
  ...{ made_by: 'Ada Lovelace', created_at: '2026-11-21T12:00:00Z', finished_at: '2026-11-21T12:00:09Z' },
  ...own,
})

export const aRestore = (own: Partial<Restore> = {}): Restore => ({
  ...{ id: 'rst_1', kind: 'restore', backup_id: 'bak_1', backup_name: 'Monday', snapshot_at: '2026-11-21T12:00:00Z' },
  ...{ state: 'done', reason: null, progress: null, safety_backup_id: 'bak_2', can_return: true },
  ...{ report: [], aside_until: '2026-11-29T12:00:00Z', made_by: 'Ada Lovelace', created_at: '2026-11-22T12:00:00Z' },
  ...{ switched_at: '2026-11-22T12:01:00Z', finished_at: '2026-11-22T12:02:00Z' },
  ...own,
})

export const aPlan = (own: Partial<BackupPlan> = {}): BackupPlan => ({
  ...{ cadence: 'daily', weekday: 0, hour: 3, time_zone: 'UTC', keep: 14, next_at: '2026-11-23T03:00:00Z', version: 1 },
  ...own,
})
