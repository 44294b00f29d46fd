import type { RestoreLine } from '@agency/contract/backups'
import type { AppContext, AuditContext, TransactionContext } from '../../../context.ts'
import { readAuditHead } from '../../../db/archive/catalog.ts'
import type { Preamble } from '../../../db/archive/frames.ts'
import { asideSchema, type loadingSchema, updateAside } from '../../../db/archive/load-archive.ts'
import { switchSchemas } from '../../../db/archive/switch-schemas.ts'
import { withOwnClient } from '../../../db/archive/write-archive.ts'
import { databaseOn } from '../../../db/client.ts'
import { type AuditEntry, recordAudit } from '../../../platform/audit.ts'
import { allTopics } from '../../../platform/changes.ts'
import { endWhatWaits, isEarlierState, keepNewer, keepOwn, tellTopics } from '../queries/keep.ts'
import { endOpenBackups, markSwitched, type RestoreRow } from '../queries/restores.ts'

const dayMs = 86_400_000
/** So long the replaced data is kept aside. */
const asideMs = 7 * dayMs

const switchTries = 10

type Head = NonNullable<Preamble['audit']>

/** What the log cannot show any more, and the last place of it that is known. */
function gapOf(head: Head | null, now: Date): Record<string, unknown> {
  if (!head) return { gap: 'The audit log of the backup is empty' }
  const { seq, hash, entryId, at } = head
  return { gap: { after_entry: entryId, from: at, until: now.toISOString() }, anchor: { place: seq, hash } }
}

function kept(isEarlier: boolean, head: Head | null): RestoreLine[] {
  if (isEarlier)
    return [
      { what: 'Audit log', ok: true, text: 'All entries since the backup were kept.' },
      {
        what: 'Access',
        ok: true,
        text: 'Users, roles, keys and passwords are as they were before the restore. All sessions ended.',
      },
      {
        what: 'Already sent',
        ok: true,
        text: 'Billing actions, emails and reports since the backup were kept, so none is sent twice.',
      },
    ]
  const last = head ? ` It ends at entry ${head.entryId}.` : ''
  return [
    { what: 'Audit log', ok: false, text: `The audit log is the one in the backup; newer entries are missing.${last}` },
    {
      what: 'Access',
      ok: false,
      text: 'Keys and passwords are those of the backup. Check for keys that were revoked since.',
    },
  ]
}

type SwitchContext = AuditContext & Pick<AppContext, 'pool'>

type Order = {
  /** Of whom it is, and what it is called in the log. */
  restore: Pick<RestoreRow, 'id' | 'returns_id' | 'backup_id' | 'backup_name' | 'snapshot_at' | 'safety_backup_id'>
  from: typeof loadingSchema | typeof asideSchema
  /** Of whoever asked for it; a job does it. */
  startedBy: string
  /** Writes down the restore where nobody has yet: on a machine without data. */
  begin?: (db: AppContext['db']) => Promise<void>
}

/** Puts what lies in the other schema in the place of the data, with all that is never taken back, and writes it down. */
export async function switchTo(
  ctx: SwitchContext,
  { restore, from, startedBy, begin }: Order,
  signal: AbortSignal,
): Promise<void> {
  await withOwnClient(ctx.pool.options, 'agency-console restore', signal, async (client) => {
    const now = new Date(ctx.clock())
    const db = databaseOn(client) as TransactionContext['db']
    const seen: { isEarlier: boolean; head: Head | null } = { isEarlier: false, head: null }
    const record = async ({ hasAside }: { hasAside: boolean }): Promise<void> => {
      if (!seen.isEarlier) seen.head = await readAuditHead(client, 'public')
      await endWhatWaits(client, 'public', now)
      if (begin) {
        await endOpenBackups({ db }, now)
        await begin(db)
      }
      const report = kept(seen.isEarlier, seen.head)
      const asideUntil = hasAside ? new Date(now.getTime() + asideMs) : null
      await markSwitched({ db }, restore, { at: now, asideUntil, report })
      await recordAudit({ ...ctx, db }, entryOf({ restore, from, startedBy }, seen, now))
      await tellTopics(client, allTopics)
    }
    const keep = async (_: unknown, live: string, next: string): Promise<void> => {
      seen.isEarlier = from === asideSchema || (await isEarlierState(client, live, next))
      await (seen.isEarlier ? keepNewer : keepOwn)(client, live, next)
    }
    if (from === asideSchema) await updateAside(client)
    await withTries(() => switchSchemas(client, { from, keep, record }), signal)
  })
}

function entryOf(
  { restore, from, startedBy }: Order,
  { isEarlier, head }: { isEarlier: boolean; head: Head | null },
  now: Date,
): AuditEntry {
  const { backup_id: id, backup_name: name, snapshot_at, safety_backup_id } = restore
  return {
    ...{ action: from === asideSchema ? 'backup.return' : 'backup.restore', resource: 'backup', id },
    after: {
      ...{ name, state: 'done', snapshot_at: snapshot_at.toISOString(), started_by: startedBy },
      ...{ safety_backup: safety_backup_id, ...(isEarlier ? {} : gapOf(head, now)) },
    },
  }
}

/** Whoever works with the tables at that moment is waited for, but not for ever: others wait behind. */
async function withTries(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      const isBusy = code === '55P03' || code === '40P01'
      if (!isBusy || tried >= switchTries || signal.aborted) throw error
    }
  }
}
