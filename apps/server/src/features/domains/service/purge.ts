import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { domains } from '@agency/contract'
import type { BodyOf, ResponseOf } from '@agency/contract/endpoint'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { purgeText } from '../purge-text.ts'
import { type DomainRow, findHosts } from '../queries/domains.ts'
import { claimAbandoned, findLastPurge, findPurge, insertPurge, type Purge, patchPurge } from '../queries/purges.ts'
import { getGateway } from './connection.ts'
import { getRow } from './get-domain.ts'

type What = BodyOf<typeof domains.purgeCache>
type Answer = ResponseOf<typeof domains.purgeCache>

/** Longer than the call takes: until then the first one with this key is at it. */
const leaseMs = 60_000

export async function previewPurge(ctx: RequestContext, id: string): Promise<ResponseOf<typeof domains.previewPurge>> {
  const row = await getRow(ctx, getGateway(ctx), id)
  const [hosts, last] = await Promise.all([findHosts(ctx.pool, row.name), findLastPurge(ctx.db, id)])
  return {
    domain: { id: row.id, name: row.name, plan_name: row.plan?.name || null },
    site: row.site && { id: row.site.id, site_name: row.site.site_name },
    customer: row.customer,
    hosts,
    last: last ? { at: isoOf(last.settled_at ?? last.created_at), by: last.actor_name, what: last.what } : null,
  }
}

const isoOf = (at: Date | string): string => new Date(at).toISOString()

const done = (at: Date | string): Answer => ({ success: true, purged_at: isoOf(at) })

function replay(earlier: Purge, row: DomainRow, what: What, nowMs: number): Answer | 'again' {
  if (earlier.domain_id !== row.id || !isDeepStrictEqual(earlier.body, what))
    throw new AppError(
      'idempotency_conflict',
      'This Idempotency-Key was used for another request already: take a new one',
    )
  if (earlier.state === 'done') return done(earlier.settled_at ?? earlier.created_at)
  if (earlier.state === 'failed') throw new AppError('provider_invalid', earlier.problem ?? '')
  if (earlier.state === 'started' && nowMs - new Date(earlier.created_at).getTime() < leaseMs)
    throw new AppError('conflict', 'This purge is under way')
  return 'again'
}

/** To purge twice harms nobody, so what is not known to have happened is sent again under the same key. */
function begin(ctx: RequestContext, row: DomainRow, what: What, key: string): Promise<Answer | 'send'> {
  return inTransaction(ctx, async (tx) => {
    const now = new Date(tx.clock())
    const started = await insertPurge(tx.db, {
      id: key,
      domain_id: row.id,
      domain_name: row.name,
      body: JSON.stringify(what),
      what: purgeText(what),
      state: 'started',
      actor_id: tx.actor.id,
      actor_name: tx.actor.name,
      created_at: now,
    })
    if (!started) {
      const earlier = await findPurge(tx.db, key)
      if (!earlier) throw new AppError('conflict', 'This purge is under way')
      const answer = replay(earlier, row, what, tx.clock())
      if (answer !== 'again') return answer
      await patchPurge(tx.db, key, { state: 'started', created_at: now })
    }
    await audit(tx, row, 'done', { state: 'requested', what: purgeText(what), ...what })
    return 'send'
  })
}

const audit = (
  tx: TransactionContext,
  row: Pick<DomainRow, 'id' | 'name'>,
  outcome: 'done' | 'failed',
  after: object,
) =>
  recordAudit(tx, {
    action: 'domain.purge_cache',
    resource: 'domain',
    id: row.id,
    after: { name: row.name, ...after },
    outcome,
  })

type Sent = { row: DomainRow; what: What; key: string }
type Outcome = { state: 'done'; problem: null } | { state: 'failed' | 'unknown'; problem: string }

/** Writes down what became of it; answers when that was. */
function settle(ctx: RequestContext, { row, what, key }: Sent, { state, problem }: Outcome): Promise<Date> {
  return inTransaction(ctx, async (tx) => {
    const at = new Date(tx.clock())
    await patchPurge(tx.db, key, { state, problem, settled_at: at })
    await audit(tx, row, state === 'done' ? 'done' : 'failed', {
      ...{ state, what: purgeText(what) },
      ...(problem !== null && { problem }),
    })
    return at
  })
}

/** A purge whose console ended meanwhile, or could not write its end down: nobody knows whether it happened. */
export function settleAbandoned(ctx: RequestContext): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const problem = 'The console ended before the answer was written down'
    for (const purge of await claimAbandoned(tx.db, new Date(tx.clock() - leaseMs))) {
      await patchPurge(tx.db, purge.id, { state: 'unknown', problem, settled_at: new Date(tx.clock()) })
      const { domain_id, domain_name, actor_name, what } = purge
      const after = { state: 'unknown', what, problem, started_by: actor_name }
      await audit(tx, { id: domain_id, name: domain_name }, 'failed', after)
    }
  })
}

const unknownKinds = new Set(['unavailable', 'bad_answer'])

async function settleFailure(ctx: RequestContext, sent: Sent, error: unknown): Promise<Error> {
  const failure =
    error instanceof CloudflareError
      ? error
      : new CloudflareError('unavailable', 'The purge was cut off', { cause: error })
  const isUnknown = unknownKinds.has(failure.kind) && failure.mayHaveRun
  const right = failure.kind === 'auth' && failure.providerStatus !== 401
  const problem = right ? 'No access: the token lacks Cache Purge' : failure.message
  await settle(ctx, sent, { state: isUnknown ? 'unknown' : 'failed', problem })
  if (!isUnknown) return new AppError(failure.code, problem, failure.extras)
  return new AppError(
    'outcome_unknown',
    `${problem}. Whether the cache was purged is not known; purging it again is safe`,
  )
}

export async function purgeCache(
  ctx: RequestContext,
  id: string,
  what: What,
  idempotencyKey: string | null,
): Promise<Answer> {
  const gateway = getGateway(ctx)
  const row = await getRow(ctx, gateway, id)
  const key = idempotencyKey ?? randomUUID()
  const begun = await begin(ctx, row, what, key)
  if (begun !== 'send') return begun
  try {
    await gateway.purge(row.id, what)
  } catch (error) {
    throw await settleFailure(ctx, { row, what, key }, error)
  }
  return done(await settle(ctx, { row, what, key }, { state: 'done', problem: null }))
}
