import { type Reader, readerOf } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import type { Kind } from '../stripe/types.ts'
import { present } from '../world/present.ts'
import { ApiError, bothCursors, keyInUse } from './errors.ts'
import { checkExpansions, expand } from './expand.ts'
import { asList, type FormHash } from './form.ts'
import { findAnswer, hashRequest, type KeptAnswer, keepAnswer } from './idempotency.ts'
import { readParams, type Shape } from './params.ts'
import type { Answer, ReadContext, Route } from './route.ts'
import type { Found } from './router.ts'
import type { Node } from './show.ts'

export type Call = Found & {
  form: FormHash
  requestId: string
  idempotencyKey: string | null
  /** World time in seconds. */
  now: number
  wallNow: number
}
export type Sent = { status: number; body: string; headers: Record<string, string>; replayed: boolean }

const shownKinds = new Set<string>(['subscription', 'invoice', 'price', 'coupon', 'checkout.session', 'payment_link'])

async function render(answer: Answer, paths: string[], read: Reader): Promise<string> {
  if (answer.type === 'list') {
    const data = answer.items as Node[]
    await expand(data, answer.kind, paths.map((path) => path.slice('data.'.length)).filter(Boolean), read)
    return JSON.stringify({ object: 'list', data, has_more: answer.hasMore, url: answer.url })
  }
  const copy = paths.length > 0 ? structuredClone(answer.body) : answer.body
  const body = shownKinds.has(answer.kind) ? present(answer.kind as Kind, copy as never) : copy
  await expand([body], answer.kind, paths, read)
  return JSON.stringify(body)
}

function readRequest(route: Route, form: FormHash) {
  const { expand: wanted, ...rest } = form
  const paths = wanted === undefined ? [] : (asList(wanted) ?? [wanted]).filter((path) => typeof path === 'string')
  const params = readParams(route.shape, rest)
  if (route.list && rest['starting_after'] !== undefined && rest['ending_before'] !== undefined) throw bothCursors()
  checkExpansions(paths, route.kind, route.list)
  return { params, paths }
}

const ok = (body: string): Sent => ({ status: 200, body, headers: {}, replayed: false })

export const errorBody = (error: ApiError, requestId: string) =>
  JSON.stringify({
    error: { ...error.body, request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}` },
  })

const running = new Set<string>()

/** Answers one call; refusals are thrown as ApiError. */
export async function handle(store: Store, call: Call): Promise<Sent> {
  const { route } = call
  const { params, paths } = readRequest(route, call.form)
  if (route.read) {
    const read = readerOf(store.pool.query.bind(store.pool) as typeof store.pool.query, store.schema)
    const context: ReadContext<Shape> = { params, id: call.id, sub: call.sub, read, now: call.now }
    return ok(await render(await route.read(context), paths, read))
  }
  const key = route.method === 'POST' ? call.idempotencyKey : null
  if (key === null) return await runWrite(store, call, params, paths, null)
  const mark = `${store.schema} ${key}`
  if (running.has(mark)) throw keyInUse(key)
  running.add(mark)
  try {
    return await runWrite(store, call, params, paths, key)
  } finally {
    running.delete(mark)
  }
}

const replay = (kept: KeptAnswer): Sent => ({
  status: kept.status,
  body: kept.body,
  headers: { 'idempotent-replayed': 'true', 'original-request': kept.requestId, 'request-id': kept.requestId },
  replayed: true,
})

async function runWrite(
  store: Store,
  call: Call,
  params: ReadContext<Shape>['params'],
  paths: string[],
  key: string | null,
): Promise<Sent> {
  const { route, requestId } = call
  const hash = hashRequest(route.method, `${route.path} ${call.id} ${call.sub}`, call.form)
  const request = { id: requestId, idempotencyKey: key }
  try {
    return await store.write({ now: call.now, wallNow: call.wallNow, request }, async (world, unit) => {
      const kept = key ? await findAnswer(unit.query, store.schema, key, hash) : undefined
      if (kept) return replay(kept)
      const read = readerOf(unit.query, store.schema)
      const context = { params, id: call.id, sub: call.sub, read, now: call.now, world, unit, wallNow: call.wallNow }
      const answer = await route.write!(context)
      await unit.flush()
      const sent = ok(await render(answer, paths, read))
      if (key) await keepAnswer(unit.query, store.schema, key, hash, { ...sent, requestId })
      return sent
    })
  } catch (error) {
    // The work was rolled back; a refusal by the rules is still the answer to this key.
    if (key && error instanceof ApiError && error.kept) await keepFailure(store, call, error)
    throw error
  }
}

/** Keeps an error under the call's idempotency key. */
export async function keepFailure(store: Store, call: Call, error: ApiError): Promise<void> {
  if (!call.idempotencyKey) return
  const hash = hashRequest(call.route.method, `${call.route.path} ${call.id} ${call.sub}`, call.form)
  await keepAnswer(
    store.pool.query.bind(store.pool) as typeof store.pool.query,
    store.schema,
    call.idempotencyKey,
    hash,
    {
      status: error.status,
      body: errorBody(error, call.requestId),
      requestId: call.requestId,
    },
  )
}
