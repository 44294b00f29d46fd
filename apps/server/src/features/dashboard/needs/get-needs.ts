import type { getNeeds as endpoint } from '@agency/contract/dashboard'
import { type Need, type NeedKind, needKinds } from '@agency/contract/dashboard'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { orderOfMoney } from '../../../platform/money-text.ts'
import { type Found, sources } from './sources.ts'

type Answer = ResponseOf<typeof endpoint>
type Loaded = { source: Answer['sources'][number]; found: { kind: NeedKind; need: Found }[] }

async function load(ctx: RequestContext, kind: NeedKind): Promise<Loaded> {
  try {
    const { found, total } = await sources[kind].find(ctx)
    return { source: { kind, ok: true, total }, found: found.map((need) => ({ kind, need })) }
  } catch (error) {
    const isOurs = error instanceof AppError && error.code !== 'internal'
    if (!isOurs) ctx.log.error({ err: error, requestId: ctx.requestId, source: kind }, 'a source of needs failed')
    const failure = isOurs
      ? { code: error.code, error: error.message }
      : { code: 'internal', error: 'Could not be loaded' }
    return { source: { kind, ok: false, ...failure }, found: [] }
  }
}

/** What two sources tell of is told by the first. */
function once(all: readonly { kind: NeedKind; need: Found }[]): { kind: NeedKind; need: Found }[] {
  const told = new Set<string>()
  return all.filter(({ need: { about } }) => !told.has(about) && told.add(about))
}

/** What needs somebody, the most money first; a source that fails says so, and the others stand. */
export async function getNeeds(ctx: RequestContext): Promise<Answer> {
  const held = ctx.actor.permissions
  const seesMoney = held.has('billing.read')
  const kinds = needKinds.filter((kind) => held.has(sources[kind].permission))
  const loaded = await Promise.all(kinds.map((kind) => load(ctx, kind)))
  const needs = once(loaded.flatMap(({ found }) => found)).map(
    ({ kind, need: { about: _, ...need } }): Need => ({
      kind,
      ...need,
      money: seesMoney ? need.money : null,
    }),
  )
  const order = new Map(needs.map((need) => [need, orderOfMoney(need.money ?? [])]))
  // The sort is stable: without money the order of the sources stays.
  needs.sort((a, b) => (order.get(b) ?? 0) - (order.get(a) ?? 0))
  return { needs, sources: loaded.map(({ source }) => source), as_of: new Date(ctx.clock()).toISOString() }
}
