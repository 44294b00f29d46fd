import { randomUUID } from 'node:crypto'
import { inTransaction, type RequestContext } from '../../context.ts'
import { notifyDrift } from '../notifications/index.ts'
import {
  type DriftCounts,
  type DriftRow,
  failAbandonedReports,
  finishReport,
  insertDriftRows,
  insertReport,
} from './queries/drift.ts'

export type Findings = DriftCounts & {
  id: string
  /** Tells what differed; rows of the same object replace each other. */
  tell(rows: readonly DriftRow[]): Promise<void>
}

/** Runs a comparison under a report of its own, which is finished whatever happens. */
export async function withReport(
  ctx: RequestContext,
  kind: 'events' | 'walk',
  compare: (findings: Findings) => Promise<void>,
): Promise<void> {
  const startedAt = new Date(ctx.clock())
  await failAbandonedReports(ctx.db, kind, startedAt)
  const findings: Findings = {
    id: randomUUID(),
    checked: 0,
    differed: 0,
    repaired: 0,
    async tell(rows) {
      this.differed += rows.length
      this.repaired += rows.filter((row) => row.repaired).length
      await insertDriftRows(ctx.db, this.id, rows)
    },
  }
  await insertReport(ctx.db, { id: findings.id, kind, startedAt })
  try {
    await compare(findings)
    await close(ctx, findings, 'done', null)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    await close(ctx, findings, 'failed', message)
    throw error
  }
}

async function close(
  ctx: RequestContext,
  { id, checked, differed, repaired }: Findings,
  state: 'done' | 'failed',
  error: string | null,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const finishedAt = new Date(tx.clock())
    await finishReport(tx.db, id, { checked, differed, repaired, state, finishedAt, error })
    if (state === 'done' && differed > 0) await notifyDrift(tx, { id, differed, repaired })
  })
}
