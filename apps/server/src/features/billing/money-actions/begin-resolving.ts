import { randomUUID } from 'node:crypto'
import type { TransactionContext } from '../../../context.ts'
import { beginRun } from '../../../platform/runs/change.ts'
import { findOpenRun } from '../../../platform/runs/queries.ts'
import type { ActionRow } from '../queries/money-actions.ts'

/** Of the runs that find out what became of money actions whose answer was lost; each is about one. */
export const resolveName = 'billing.resolve-actions'

/** Finds out what became of it, and reads again what it was about where the mirror does not show it. */
export async function beginResolving(tx: TransactionContext, { id, kind }: ActionRow, tries = 1): Promise<void> {
  if (await findOpenRun(tx.db, resolveName, id)) return
  await beginRun(tx, {
    ...{ id: randomUUID(), name: resolveName, kind, subject: id, topic: 'money_actions', options: {}, tries },
    steps: ['settle', 'copy'].map((name) => ({ name, target: null, payload: {} })),
  })
}
