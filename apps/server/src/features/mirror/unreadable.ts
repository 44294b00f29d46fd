import type { TransactionContext } from '../../context.ts'
import type { ObjectKind, ProviderObject } from '../../integrations/stripe/gateway.ts'
import { notifyUnreadable } from '../notifications/index.ts'
import { deleteUnreadable, upsertUnreadable } from './queries/unreadable.ts'
import type { Unreadable } from './rows.ts'

/** Writes down which of these objects could not be read and what they lack, and forgets those that could. */
export async function keepUnreadable(
  tx: Pick<TransactionContext, 'db' | 'clock'>,
  kind: ObjectKind,
  objects: readonly ProviderObject[],
  unreadable: readonly Unreadable[],
): Promise<void> {
  const lacking = new Set(unreadable.map(({ id }) => id))
  const readable = objects.map(({ id }) => id).filter((id) => !lacking.has(id))
  await deleteUnreadable(tx.db, kind, readable)
  const [first] = unreadable
  if (!first) return
  await upsertUnreadable(tx.db, kind, unreadable, new Date(tx.clock()))
  await notifyUnreadable(tx, { kind, ...first })
}
