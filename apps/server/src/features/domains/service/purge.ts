import { randomUUID } from 'node:crypto'
import type { domains } from '@agency/contract'
import type { BodyOf, ResponseOf } from '@agency/contract/endpoint'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { bindKey, type Claim, keyWasUsed } from '../../../platform/idempotency-keys.ts'
import { purgeText } from '../purge-text.ts'
import { findHosts } from '../queries/domains.ts'
import { claimAbandoned, findLastPurge, insertPurge, lockPurge, type Purge, patchPurge } from '../queries/purges.ts'
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

type Domain = Pick<Purge, 'domain_id' | 'domain_name'>

function begin(ctx: RequestContext, sent: Sent, claim: Claim | null): Promise<void> {
  const { domain, what, id } = sent
  return inTransaction(ctx, async (tx) => {
    await bindKey(tx, claim, id)
    const started = await insertPurge(tx.db, {
      ...{ id, domain_id: domain.domain_id, domain_name: domain.domain_name },
      ...{ body: JSON.stringify(what), what: purgeText(what), state: 'started' },
      ...{ actor_id: tx.actor.id, actor_name: tx.actor.name, created_at: new Date(tx.clock()) },
    })
    // The key of this request is the id that another one got without a key.
    if (!started) throw keyWasUsed()
    await audit(tx, domain, 'done', { state: 'requested', purge_id: id, what: purgeText(what), ...what })
  })
}

/** To purge twice harms nobody, so what is not known to have happened is sent again. */
function beginAgain(ctx: RequestContext, id: string): Promise<Answer | Sent> {
  return inTransaction(ctx, async (tx) => {
    const purge = await lockPurge(tx.db, id)
    if (purge.state === 'done') return done(purge.settled_at ?? purge.created_at)
    if (purge.state === 'failed') throw new AppError('provider_invalid', purge.problem ?? '')
    if (purge.state === 'started' && tx.clock() - new Date(purge.created_at).getTime() < leaseMs)
      throw new AppError('conflict', 'This purge is already running')
    const what = purge.body as What
    await patchPurge(tx.db, id, { state: 'started', created_at: new Date(tx.clock()) })
    await audit(tx, purge, 'done', { state: 'requested', purge_id: id, what: purgeText(what), ...what })
    return { domain: purge, what, id }
  })
}

const audit = (tx: TransactionContext, domain: Domain, outcome: 'done' | 'failed', after: object) =>
  recordAudit(tx, {
    action: 'domain.purge_cache',
    resource: 'domain',
    id: domain.domain_id,
    after: { name: domain.domain_name, ...after },
    outcome,
  })

type Sent = { domain: Domain; what: What; id: string }
type Outcome = { state: 'done'; problem: null } | { state: 'failed' | 'unknown'; problem: string }

/** Writes down what became of it; answers when that was. */
function settle(ctx: RequestContext, { domain, what, id }: Sent, { state, problem }: Outcome): Promise<Date> {
  return inTransaction(ctx, async (tx) => {
    const at = new Date(tx.clock())
    await patchPurge(tx.db, id, { state, problem, settled_at: at })
    await audit(tx, domain, state === 'done' ? 'done' : 'failed', {
      ...{ state, purge_id: id, what: purgeText(what) },
      ...(problem !== null && { problem }),
    })
    return at
  })
}

/** A purge whose console ended meanwhile, or could not write its end down: nobody knows whether it happened. */
export function settleAbandoned(ctx: RequestContext): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const problem = 'The console was restarted during the purge'
    for (const purge of await claimAbandoned(tx.db, new Date(tx.clock() - leaseMs))) {
      await patchPurge(tx.db, purge.id, { state: 'unknown', problem, settled_at: new Date(tx.clock()) })
      const { actor_name, what } = purge
      const after = { state: 'unknown', purge_id: purge.id, what, problem, started_by: actor_name }
      await audit(tx, purge, 'failed', after)
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
  return new AppError('outcome_unknown', `${problem}. Outcome unknown; purging again is safe`)
}

async function send(ctx: RequestContext, sent: Sent): Promise<Answer> {
  try {
    await getGateway(ctx).purge(sent.domain.domain_id, sent.what)
  } catch (error) {
    throw await settleFailure(ctx, sent, error)
  }
  return done(await settle(ctx, sent, { state: 'done', problem: null }))
}

export async function purgeCache(ctx: RequestContext, id: string, what: What, claim: Claim | null): Promise<Answer> {
  const row = await getRow(ctx, getGateway(ctx), id)
  const domain = { domain_id: row.id, domain_name: row.name }
  const sent = { domain, what, id: claim?.key ?? randomUUID() }
  await begin(ctx, sent, claim)
  return send(ctx, sent)
}

/** What became of a purge; one of which nobody knows is sent again. */
export async function repeatPurge(ctx: RequestContext, id: string): Promise<Answer> {
  const begun = await beginAgain(ctx, id)
  return 'success' in begun ? begun : send(ctx, begun)
}
