import { createHash, randomBytes } from 'node:crypto'
import type { AppContext } from '../../../context.ts'
import { createOwnAddress } from '../../security/index.ts'
import type { DeployTarget } from '../../sites/index.ts'
import type { Order } from '../providers/provider.ts'
import { type DeploymentRow, findRow } from '../queries/rows.ts'

export const callbackPath = '/deploy-callbacks'

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Where the builder may tell what becomes of it; the token is known to nobody else. */
export function createCallback(ctx: AppContext, { provider }: DeployTarget): { url: string; hash: string } | null {
  if (provider?.kind !== 'hook' || !provider.callback || provider.secret === null) return null
  // Without an address that others can reach, only the demo's own builder can call.
  const base = ctx.config.publicUrl ?? (ctx.demoHosts ? ctx.instance(createOwnAddress).url : null)
  if (!base) return null
  const token = randomBytes(32).toString('base64url')
  return { url: new URL(`${callbackPath}/${token}`, base).href, hash: hashOfToken(token) }
}

export async function orderOf(ctx: AppContext, row: DeploymentRow, callbackUrl: string | null = null): Promise<Order> {
  const about = row.rolled_back_to ?? row.retry_of
  return { row, about: about === null ? undefined : await findRow(ctx.db, about), callbackUrl }
}
