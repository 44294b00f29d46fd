import { randomUUID } from 'node:crypto'
import type { Caller } from '../../../../test/request.ts'
import type { AppContext } from '../../../context.ts'

/** One call of every endpoint of money drift that changes something, ready to succeed. */
export function driftSamples(ctx: () => AppContext, root: () => Caller) {
  const row = async (): Promise<string> => {
    const id = `zone:${randomUUID()}`
    await ctx().pool.query(
      `insert into money_drift (id, class, variant, subject_name, since, money, money_order, evidence, repairs, facts, found_at)
       values ($1, 'zone', 'never_had_site', 'shop.example', now(), '[]', 0, '[]', '[]', 'facts', now())`,
      [id],
    )
    return `/money-drift/${id}`
  }
  const dismissal = () => ({ reason: 'Ours', until: new Date(ctx().clock() + 86_400_000).toISOString() })
  return {
    dismissMoneyDrift: async () => ({ caller: root(), path: `${await row()}/dismiss`, body: dismissal() }),
    restoreMoneyDrift: async () => {
      const path = await row()
      await root().post(`${path}/dismiss`, dismissal())
      return { caller: root(), path: `${path}/restore`, body: {} }
    },
  }
}
