import type { AppContext } from '../../../context.ts'
import { findAllowance } from '../queries/allowance.ts'
import { findListState } from '../queries/list-state.ts'

/** How the connection to Cloudflare fares, by what is written down of it; undefined without one. */
export async function findConnectionState(ctx: Pick<AppContext, 'cloudflare' | 'pool' | 'clock'>) {
  if (!ctx.cloudflare) return undefined
  const { connection } = ctx.cloudflare
  const [list, allowance] = await Promise.all([findListState(ctx, connection), findAllowance(ctx, connection)])
  return { ...list, ...allowance }
}
