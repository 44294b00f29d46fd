import type {
  Backup,
  BackupDrill,
  BackupPlan,
  BackupProgress,
  BackupState,
  BackupType,
  Restore,
  RestoreState,
} from '@agency/contract/types'
import { formatBytes, formatCount } from '../../lib/format.ts'
import type { Tone } from '../../theme/palette.ts'

export const typeLabels: Record<BackupType, string> = { full: 'Full', incremental: 'Incremental' }

export const stateChips: Record<BackupState, { label: string; tone: Tone }> = {
  queued: { label: 'Queued', tone: 'info' },
  running: { label: 'Running', tone: 'info' },
  done: { label: 'Done', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

export const restoreChips: Record<RestoreState, { label: string; tone: Tone }> = {
  open: { label: 'Loading', tone: 'info' },
  replaying: { label: 'Replaying', tone: 'info' },
  done: { label: 'Restored', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  returned: { label: 'Undone', tone: 'neutral' },
}

export const causeTexts: Record<Backup['cause'], string> = {
  asked: 'Manual',
  schedule: 'Scheduled',
  before_restore: 'Before a restore',
  command: 'Command line',
}

const mib = 1024 * 1024

/** The wire says MB. */
export const sizeText = (size: number): string => formatBytes(Math.round(size * mib))

const steps: Record<string, { label: string; unit: string }> = {
  write: { label: 'Writing the backup', unit: 'rows' },
  read_back: { label: 'Verifying the file', unit: 'bytes' },
  send: { label: 'Uploading to the store', unit: 'bytes' },
  read_store: { label: 'Verifying the uploaded copy', unit: 'bytes' },
  safety: { label: 'Backing up the current data first', unit: 'rows' },
  load: { label: 'Loading the backup', unit: 'rows' },
  switch: { label: 'Replacing the data', unit: 'steps' },
  replay: { label: 'Replaying what happened since the backup', unit: 'parts' },
  drill: { label: 'Restoring into a temporary database', unit: 'rows' },
}

export function progressWords(progress: BackupProgress | null) {
  const { label, unit } = steps[progress?.step ?? ''] ?? { label: 'Waiting to start', unit: 'rows' }
  const text = progress?.text
  const isUnit = text === 'rows' || text === 'bytes'
  return {
    label,
    unit: isUnit ? text : text ? 'steps' : unit,
    done: progress?.done ?? 0,
    total: progress?.total ?? null,
    ...(text && !isUnit ? { extra: text } : {}),
  }
}

export const restoreTitle = ({ kind, backup_name }: Restore): string =>
  kind === 'return' ? `Undo of the restore of ${backup_name}` : `Restore of ${backup_name}`

export const mayReturn = ({ can_return }: Restore): boolean => can_return

/** Why a backup cannot be restored; undefined: it can. */
export function restoreBlock({ type, state, is_here, stored_at }: Backup, isBusy: boolean): string | undefined {
  if (type === 'incremental') return 'Create a full backup of a point in time first'
  if (state !== 'done') return 'Only a finished backup can be restored'
  if (!is_here && stored_at === null) return 'The backup file is not on this server'
  return isBusy ? 'Another restore is running' : undefined
}

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export const hourText = (hour: number): string => `${hour % 12 === 0 ? 12 : hour % 12}:00 ${hour < 12 ? 'AM' : 'PM'}`

export function planText({ cadence, weekday, hour, keep }: BackupPlan): string {
  if (cadence === 'off') return 'Off: only manual backups.'
  const days = cadence === 'daily' ? 'Every day' : `Every ${weekdays[weekday]}`
  return `${days} at ${hourText(hour)}, keeping the newest ${keep}`
}

export const drillChips: Record<BackupDrill['state'], { label: string; tone: Tone }> = {
  open: { label: 'Running', tone: 'info' },
  done: { label: 'Proven', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
}

export function drillText({ backup_name, reason, report }: BackupDrill): string {
  if (reason !== null) return `${backup_name}: ${reason}.`
  if (!report) return backup_name
  const { rows, tables, totals } = report
  return `${backup_name}: ${formatCount(rows)} rows in ${tables} tables and ${totals} totals matched.`
}
