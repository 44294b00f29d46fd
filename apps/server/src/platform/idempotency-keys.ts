import { createHash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '../db/types.ts'
import { AppError } from './errors.ts'

/** A request under a key that its caller chose, so that a repeat of it can be told from another one. */
type KeyedRequest = {
  key: string
  caller: string
  /** What is asked for, up to the thing that it is about: the method and the path. */
  request: string
  body: unknown
}

/** The key in the hands of whoever acts: bound to what the request begins, in the transaction that begins it. */
export type Claim = Omit<KeyedRequest, 'body'> & { fingerprint: string; isBound: boolean }

type Kept = { subject: string; answer: unknown }
type Row = { caller: string; request: string | null; fingerprint: string | null; subject: string | null } & Pick<
  Kept,
  'answer'
>

type Steps<Answer> = {
  /** Acts; `claim` is null where no key was named. Until the key is bound nothing may have happened. */
  handle(claim: Claim | null): Promise<Answer> | Answer
  /** Answers a repeat by what the key is bound to. Not needed where the answer itself is kept. */
  replay?: ((subject: string, claim: Claim) => Promise<Answer> | Answer) | undefined
}

type Database = { db: Kysely<DB>; clock: () => number }
type InTransaction = { db: Transaction<DB> }

/** The order of an object's fields says nothing. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** No body is one without fields. */
const fingerprintOf = (body: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(body ?? {}, inOrder))
    .digest('hex')

export const keyWasUsed = (): AppError =>
  new AppError('idempotency_conflict', 'This Idempotency-Key was already used for another request: use a new one')

async function findOrTake({ db, clock }: Database, { key, caller }: Claim): Promise<Row> {
  const { rows } = await sql<Row>`
    with taken as (
      insert into idempotency_keys (key, caller, used_at) values (${key}, ${caller}, ${new Date(clock())})
      on conflict do nothing returning caller, request, fingerprint, subject, answer
    )
    select * from taken
    union all
    select caller, request, fingerprint, subject, answer from idempotency_keys where key = ${key}`.execute(db)
  // None: somebody else's insert was kept a moment ago, and this statement began before it.
  return rows[0] ?? findOrTake({ db, clock }, { key, caller } as Claim)
}

/**
 * Whoever uses a key first owns it, for good. Answers what an earlier request under it has begun, or null; throws
 * `idempotency_conflict` for a key of somebody else, and for another request than that one.
 */
async function takeKey(ctx: Database, claim: Claim): Promise<Kept | null> {
  const row = await findOrTake(ctx, claim)
  if (row.caller !== claim.caller)
    throw new AppError('idempotency_conflict', 'This Idempotency-Key belongs to someone else: use a new one')
  if (row.subject === null) return null
  if (row.request !== claim.request || row.fingerprint !== claim.fingerprint) throw keyWasUsed()
  return { subject: row.subject, answer: row.answer }
}

async function answerAgain<Answer>(
  { subject, answer }: Kept,
  { replay }: Steps<Answer>,
  claim: Claim,
): Promise<Answer> {
  if (answer !== null) return answer as Answer
  if (!replay) throw new Error('A key is bound, and neither its answer nor a way to answer again is there')
  return replay(subject, claim)
}

/** Acts on a request once, however often it comes under its key; a repeat is answered by what became of it. */
export async function once<Answer>(ctx: Database, asked: KeyedRequest | null, steps: Steps<Answer>): Promise<Answer> {
  if (asked === null) return steps.handle(null)
  const { body, ...rest } = asked
  const claim: Claim = { ...rest, fingerprint: fingerprintOf(body), isBound: false }
  const earlier = await takeKey(ctx, claim)
  if (earlier) return answerAgain(earlier, steps, claim)
  try {
    const answer = await steps.handle(claim)
    if (!claim.isBound) throw new Error(`${claim.request} has acted and did not bind its key`)
    return answer
  } catch (error) {
    if (claim.isBound || !(error instanceof AppError)) throw error
    // Refused because of what the same request has begun a moment ago, perhaps.
    const meanwhile = await takeKey(ctx, claim)
    if (!meanwhile) throw error
    return answerAgain(meanwhile, steps, claim)
  }
}

/**
 * Binds the key to what the request begins. A repeat at the same moment waits here for the end of the transaction, so it
 * comes first in it: before what the request is checked against is read. Where it waited in vain, it throws.
 */
export async function bindKey({ db }: InTransaction, claim: Claim | null, subject: string): Promise<void> {
  if (claim === null) return
  const { key, request, fingerprint } = claim
  const { rows } = await sql`
    update idempotency_keys set request = ${request}, fingerprint = ${fingerprint}, subject = ${subject}
    where key = ${key} and subject is null returning key`.execute(db)
  if (rows.length === 0) throw new AppError('conflict', 'This request is under way')
  claim.isBound = true
}

/** Keeps the answer itself, for what leaves nothing else that a repeat could be answered by. */
export async function keepAnswer({ db }: InTransaction, claim: Claim | null, answer: unknown): Promise<void> {
  if (claim === null) return
  await sql`update idempotency_keys set answer = ${JSON.stringify(answer)} where key = ${claim.key}`.execute(db)
}

/** The answer that is kept under the key, or null; nobody else keeps one before the transaction ends. */
export async function lockAnswer({ db }: InTransaction, claim: Claim | null): Promise<unknown> {
  if (claim === null) return null
  const { rows } = await sql<Pick<Kept, 'answer'>>`
    select answer from idempotency_keys where key = ${claim.key} for update`.execute(db)
  return rows[0]?.answer ?? null
}
