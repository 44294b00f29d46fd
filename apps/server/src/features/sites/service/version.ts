import type { TransactionContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { findEditsSince, insertEdit } from '../queries/history.ts'
import type { SiteRow } from '../queries/sites.ts'

const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** Throws when somebody else changed one of these fields after the version that the change was made to. */
export async function checkVersion(
  tx: TransactionContext,
  site: SiteRow,
  version: number,
  fields: readonly string[],
): Promise<void> {
  if (version > site.version)
    throw new AppError('invalid_request', 'There is no such version', { parameter: 'version' })
  const edits = await findEditsSince(tx.db, site.id, version)
  const crossed = edits.filter((edit) => edit.fields.some((field) => fields.includes(field)))
  const last = crossed.at(-1)
  if (!last) return
  const names = new Set(crossed.flatMap((edit) => edit.fields.filter((field) => fields.includes(field))))
  const what = listed([...names].map((name) => name.replaceAll('_', ' ')))
  throw new AppError(
    'conflict',
    `${last.actor_name} changed ${what} of this site. Nothing was saved: reload and try again.`,
    { parameter: 'version' },
  )
}

/** The next version of a locked site, with what it changed. */
export async function nextVersion(tx: TransactionContext, site: SiteRow, fields: string[]) {
  const at = new Date(tx.clock())
  const version = site.version + 1
  await insertEdit(tx.db, { site_id: site.id, version, at, actor_name: tx.actor.name, fields })
  return { version, updated_at: at }
}
