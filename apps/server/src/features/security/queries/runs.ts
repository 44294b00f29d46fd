import type { SecurityFinding } from '@agency/contract/security'
import type { AppContext, TransactionContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>
export type NewRun = { id: string; at: Date; actorName: string; score: number; findings: SecurityFinding[] }

export async function insertRun(tx: TransactionContext, { actorName, findings, ...run }: NewRun): Promise<void> {
  await tx.db
    .insertInto('security_runs')
    .values({ ...run, actor_name: actorName, findings: JSON.stringify(findings) })
    .execute()
}

export const findNewestRun = ({ db }: Db) =>
  db.selectFrom('security_runs').selectAll().orderBy('at', 'desc').limit(1).executeTakeFirst()

/** Newest first. */
export const findScores = ({ db }: Db, limit: number) =>
  db.selectFrom('security_runs').select(['at', 'score']).orderBy('at', 'desc').limit(limit).execute()

export async function deleteRunsBefore({ db }: Db, before: Date): Promise<void> {
  await db.deleteFrom('security_runs').where('at', '<', before).execute()
}
