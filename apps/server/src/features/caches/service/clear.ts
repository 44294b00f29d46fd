import { randomUUID } from 'node:crypto'
import type { caches } from '@agency/contract'
import type { CacheCleared, CacheName } from '@agency/contract/caches'
import type { BodyOf, QueryOf, ResponseOf } from '@agency/contract/endpoint'
import { type AppContext, inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import type { KeptCache } from '../../../platform/caches.ts'
import { AppError } from '../../../platform/errors.ts'
import { bindKey, type Claim, keepAnswer } from '../../../platform/idempotency-keys.ts'
import { matcherOf, mostSamples } from '../keeper.ts'
import { type Command, findReplies, insertCommand, insertReplies, type Reply } from '../queries/commands.ts'
import { findStates } from '../queries/overview.ts'
import { gather, type Replies } from './ask.ts'

type Chosen = QueryOf<typeof caches.findCacheKeys>
type Kept = readonly KeptCache[]

const commandOf = (kind: Command['kind'], { name, pattern }: Chosen): Command => ({
  ...{ id: randomUUID(), kind, name: name ?? null, pattern: pattern ?? null },
})

/** Of what is kept in the database, whoever is asked answers for all processes. */
async function answerKept(ctx: AppContext, kept: Kept, command: Command): Promise<void> {
  const matches = matcherOf(command)
  const replies: Reply[] = []
  for (const cache of kept) {
    if (command.name !== null && cache.name !== command.name) continue
    const labels = (await cache.labels(ctx)).filter(matches)
    const keys = command.kind === 'clear' ? await cache.clear(ctx, labels) : labels.length
    const samples = command.kind === 'find' ? labels.slice(0, mostSamples) : []
    replies.push({ process: '', name: cache.name, keys, samples })
  }
  if (replies.length > 0) await insertReplies(ctx.db, command.id, replies)
}

type PerCache = CacheCleared['caches'][number]

/** What each cache answered, with what it costs to read a key of it again. */
async function perCache(
  ctx: AppContext,
  { replies, processes }: Pick<Replies, 'replies' | 'processes'>,
): Promise<PerCache[]> {
  const states = await findStates(ctx.db, new Date(ctx.clock()))
  const costs = new Map(states.map(({ process, name, load_ms }) => [`${process} ${name}`, load_ms]))
  const known = new Map(processes.map((process) => [process.id, process]))
  return replies
    .filter(({ name }) => name !== '')
    .map(({ process, name, keys }) => ({
      // Names are those of the caches that this version makes.
      name: name as CacheName,
      process: known.get(process) ?? null,
      keys,
      load_ms: costs.get(`${process} ${name}`) ?? null,
    }))
}

const total = (each: readonly { keys: number }[]): number => each.reduce((sum, { keys }) => sum + keys, 0)

export async function findKeys(
  ctx: RequestContext,
  kept: Kept,
  chosen: Chosen,
): Promise<ResponseOf<typeof caches.findCacheKeys>> {
  const command = commandOf('find', chosen)
  await insertCommand(ctx.db, command, new Date(ctx.clock()))
  await answerKept(ctx, kept, command)
  const found = await gather(ctx, command.id)
  const each = await perCache(ctx, found)
  const samples = [...new Set(found.replies.flatMap((reply) => reply.samples))].slice(0, mostSamples)
  return { keys: total(each), samples, caches: each, silent: found.silent }
}

export async function clear(
  ctx: RequestContext,
  kept: Kept,
  chosen: BodyOf<typeof caches.clearCaches>,
  claim: Claim | null,
): Promise<CacheCleared> {
  const command = commandOf('clear', chosen)
  await inTransaction(ctx, async (tx) => {
    await bindKey(tx, claim, command.id)
    await insertCommand(tx.db, command, new Date(tx.clock()))
    await recordAudit(tx, {
      ...{ action: 'cache.clear', resource: 'cache', id: command.name },
      after: { ...(command.pattern !== null && { pattern: command.pattern }) },
    })
  })
  await answerKept(ctx, kept, command)
  const done = await gather(ctx, command.id)
  const each = await perCache(ctx, done)
  const answer = { id: command.id, cleared: total(each), caches: each, silent: done.silent }
  await inTransaction(ctx, (tx) => keepAnswer(tx, claim, answer))
  return answer
}

/** The process that was asked ended before it could keep its answer: those of the others are known for a while. */
export async function clearedBefore(ctx: AppContext, commandId: string): Promise<CacheCleared> {
  const replies = await findReplies(ctx.db, commandId)
  if (replies.length === 0)
    throw new AppError('outcome_unknown', 'How much was cleared is unknown; clearing again is safe')
  const { processes, silent } = await gather(ctx, commandId)
  const each = await perCache(ctx, { replies, processes })
  return { id: commandId, cleared: total(each), caches: each, silent }
}
