import { createHash, randomBytes } from 'node:crypto'
import type { AppContext, TransactionContext } from '../../context.ts'
import { findLink, insertLink, type LinkRow, useLinkRow } from './queries/links.ts'

const hourMs = 3_600_000
export const linkHours = 24

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** What the link of a mail holds. It is not kept, only its hash. */
export async function makeLink(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  { alertId, address }: { alertId: string; address: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = ctx.clock()
  await insertLink(ctx, {
    ...{ token_hash: hashOf(token), alert_id: alertId, address },
    ...{ created_at: new Date(now), expires_at: new Date(now + linkHours * hourMs) },
  })
  return token
}

export type AcknowledgeLink = { alertId: string; address: string; state: 'good' | 'used' | 'expired' }

const stateOf = ({ used_at, expires_at }: LinkRow, now: number): AcknowledgeLink['state'] => {
  if (used_at !== null) return 'used'
  return expires_at.getTime() > now ? 'good' : 'expired'
}

export async function readLink(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  token: string,
): Promise<AcknowledgeLink | undefined> {
  const row = await findLink(ctx, hashOf(token))
  return row && { alertId: row.alert_id, address: row.address, state: stateOf(row, ctx.clock()) }
}

/** Answers false when somebody was faster, or it is over. */
export const spendLink = (tx: Pick<TransactionContext, 'db' | 'clock'>, token: string): Promise<boolean> =>
  useLinkRow(tx, hashOf(token), new Date(tx.clock()))
