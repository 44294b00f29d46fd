import type { auditVerification } from '@agency/contract/audit'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { AppContext, TransactionContext } from '../../../context.ts'
import type { AuditVerifications } from '../../../db/types.ts'

type Db = Pick<AppContext, 'db'>
export type VerificationRow = Selectable<AuditVerifications>
export type Finding = NonNullable<z.output<typeof auditVerification>['finding']>
type Ended = 'intact' | 'broken' | 'no_anchor' | 'cancelled' | 'failed'

export function findNewestVerification({ db }: Db): Promise<VerificationRow | undefined> {
  return db.selectFrom('audit_verifications').selectAll().orderBy('started_at', 'desc').limit(1).executeTakeFirst()
}

export function findRunningVerification({ db }: Db): Promise<VerificationRow | undefined> {
  return db.selectFrom('audit_verifications').selectAll().where('state', '=', 'running').executeTakeFirst()
}

/** Answers nothing when one runs already. */
export async function insertVerification(
  tx: TransactionContext,
  row: { id: string; startedBy: string; total: number },
): Promise<VerificationRow | undefined> {
  return tx.db
    .insertInto('audit_verifications')
    .values({
      id: row.id,
      state: 'running',
      started_at: new Date(tx.clock()),
      started_by: row.startedBy,
      total: row.total,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Answers whether it still runs. */
export async function saveProgress({ db }: Db, id: string, checked: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('audit_verifications')
    .set({ checked, total: sql<number>`greatest(total, ${checked})` })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Answers nothing when it does not run any more. */
export function endVerification(
  tx: TransactionContext,
  id: string,
  state: Ended,
  finding: Finding | null = null,
): Promise<VerificationRow | undefined> {
  return tx.db
    .updateTable('audit_verifications')
    .set({ state, finished_at: new Date(tx.clock()), finding: finding === null ? null : JSON.stringify(finding) })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst()
}
