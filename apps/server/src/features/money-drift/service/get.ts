import type { MoneyDrift } from '@agency/contract/money-drift'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { type RawJson, rawJson } from '../../../platform/http/routes.ts'
import { type DriftQuery, findDrift, findOne, findSummary, type Shown } from '../queries/list.ts'

/** Money only for whoever may see it. */
const shownTo = ({ actor, clock }: RequestContext): Shown => ({
  seesMoney: actor.permissions.has('billing.read'),
  now: new Date(clock()),
})

export async function listDrift(ctx: RequestContext, query: DriftQuery): Promise<RawJson> {
  const shown = shownTo(ctx)
  const [page, summary] = await Promise.all([findDrift(ctx.pool, query, shown), findSummary(ctx.pool, shown.now)])
  const rest = JSON.stringify({ ...summary, money: shown.seesMoney ? summary.money : null })
  return rawJson(`${page.slice(0, -1)},${rest.slice(1)}`)
}

export async function getDrift(ctx: RequestContext, id: string): Promise<MoneyDrift> {
  const drift = await findOne(ctx.pool, id, shownTo(ctx))
  if (!drift) throw notFound(`Drift ${id}`)
  return drift
}
