import { z } from 'zod'
import { type AppContext, asSystem, inTransaction, type TransactionContext } from '../../../context.ts'
import { deployTargetOf } from '../../sites/index.ts'
import { createMask, type Mask, maskLines } from '../mask.ts'
import { whyRefused } from '../providers/hook-signature.ts'
import { httpOnly, shortMessage } from '../providers/untrusted.ts'
import { insertLines } from '../queries/log.ts'
import { findRowOfCallback, insertReport } from '../queries/reports.ts'
import { type DeploymentChange, type DeploymentRow, lockRow, patchRow } from '../queries/rows.ts'
import { secretValues } from '../runner/environment.ts'
import { finish, isOver } from '../runner/finish.ts'
import { hashOfToken } from '../runner/order.ts'

const short = z.string().max(200)
const mostLines = 5000

/** What a builder tells; fields that are not ours are left alone. */
const report = z.object({
  build_id: short.nullish(),
  status: z.enum(['queued', 'building', 'deploying', 'success', 'failed', 'cancelled']),
  reason: z.string().max(2000).nullish(),
  url: z.string().max(2000).nullish(),
  commit: z
    .object({ hash: short.nullish(), message: z.string().max(10_000).nullish(), branch: short.nullish() })
    .nullish(),
  log: z
    .object({
      from: z.int().min(0).max(10_000_000),
      lines: z.array(z.object({ at: z.iso.datetime({ offset: true }), text: z.string() })).max(mostLines),
    })
    .nullish(),
})
type Report = z.output<typeof report>

type Delivery = { token: string; body: Buffer; timestamp: unknown; signature: unknown }
type Outcome = { state: 'taken' | 'repeated' | 'late' | 'over' } | { refused: string; isUnknown?: true }

const parse = (body: Buffer): Report | undefined => {
  try {
    return report.parse(JSON.parse(body.toString('utf8')))
  } catch {
    return undefined
  }
}

/** Statuses in the order in which a build goes through them: what comes late never takes it back. */
const ranks: Record<string, number> = { queued: 0, building: 1, deploying: 2, success: 3, failed: 3, cancelled: 3 }

function changeOf(row: DeploymentRow, { status, commit, url, build_id }: Report, now: Date): DeploymentChange {
  const isAhead = (ranks[status] ?? 0) > (ranks[row.status] ?? 0) && row.built_at === null
  const [address, message] = [httpOnly(url), shortMessage(commit?.message)]
  return {
    ...(isAhead && status === 'deploying' && { status }),
    ...(isAhead && status === 'success' && { status: 'deploying', built_at: now }),
    ...(row.accepted_at === null && { accepted_at: now }),
    // What a rollback brings back is known from the deployment that built it.
    ...(row.kind !== 'rollback' && build_id && row.build_id === null && { build_id }),
    ...(commit?.hash && { commit_hash: commit.hash, version: commit.hash.slice(0, 7) }),
    ...(message && { commit_message: message }),
    ...(commit?.branch && { branch: commit.branch }),
    ...(address && { url: address }),
    ...{ wait_note: null, provider_error: null },
  }
}

const numbered = ({ log }: Report) =>
  (log?.lines ?? []).map(({ at, text }, index) => ({ number: (log?.from ?? 0) + index + 1, at: new Date(at), text }))

async function apply(tx: TransactionContext, row: DeploymentRow, told: Report, mask: Mask) {
  await patchRow(tx.db, row.id, changeOf(row, told, new Date(tx.clock())))
  if ((told.status !== 'failed' && told.status !== 'cancelled') || row.built_at !== null) return
  const current = await lockRow(tx.db, row.id)
  if (!current) return
  const failure = told.reason
    ? mask(told.reason)
    : told.status === 'failed'
      ? 'The build failed'
      : 'Cancelled by the builder'
  await finish(tx, current, { status: 'failed', failure })
}

/** Takes a signed report: each once, in whatever order they come. */
export async function receiveReport(ctx: AppContext, delivery: Delivery): Promise<Outcome> {
  const known = await findRowOfCallback(ctx.db, hashOfToken(delivery.token))
  const target = known && (await deployTargetOf(ctx, known.site_id))
  if (!known || target?.provider?.kind !== 'hook' || target.provider.secret === null)
    return { refused: 'There is nothing at this address', isUnknown: true }
  const why = whyRefused(target.provider.secret, delivery, ctx.clock())
  if (why !== null) return { refused: why }
  const told = parse(delivery.body)
  if (!told) return { refused: 'The report has the wrong format' }
  const mask = createMask([...(await secretValues(ctx, known)), target.provider.secret])
  const lines = await maskLines(mask, numbered(told))
  return inTransaction(asSystem(ctx, 'webhook', 'deploy hook'), async (tx) => {
    const row = await lockRow(tx.db, known.id)
    if (!row) return { refused: 'There is nothing at this address', isUnknown: true }
    const isNew = await insertReport(tx.db, row.id, String(delivery.signature), new Date(tx.clock()))
    if (!isNew) return { state: 'repeated' }
    if (row.status === 'cancelled') return { state: 'over' }
    await insertLines(tx.db, row.id, lines)
    if (isOver(row)) return { state: 'late' }
    await apply(tx, row, told, mask)
    return { state: 'taken' }
  })
}
