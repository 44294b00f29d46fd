import { inTransaction, type RequestContext } from '../../context.ts'
import type { Lane, ProviderAccount, StripeGateway } from '../../integrations/stripe/gateway.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError } from '../../platform/errors.ts'
import { emptyMirror, findAccount, upsertAccount } from './queries/account.ts'
import { deleteProblem } from './queries/problems.ts'
import { deleteEventSettings } from './queries/settings.ts'
import { rebuildCustomerTotals } from './queries/totals.ts'
import { lockMirror, nextFetchSeq } from './queries/upsert.ts'

export const notConnected = (): AppError => new AppError('not_connected', 'Stripe is not connected')

/** One question per gateway and process: a key that opens another account must not be asked about this one's objects. */
const verified = new WeakMap<StripeGateway, Promise<void>>()

/** The gateway, once it is known to lead to the account that is mirrored here. */
export async function connectedStripe(ctx: RequestContext, lane: Lane): Promise<StripeGateway> {
  const stripe = ctx.stripe
  if (!stripe) throw notConnected()
  let check = verified.get(stripe)
  if (!check) {
    check = refreshAccount(ctx, stripe)
    verified.set(stripe, check)
    check.catch(() => verified.delete(stripe))
  }
  await check
  return stripe.in(lane)
}

async function refreshAccount(ctx: RequestContext, stripe: StripeGateway): Promise<void> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const account = await stripe.in('job').getAccount()
  await writeAccount(ctx, account, { livemode: stripe.livemode, fetchSeq })
}

/** Stores the account. What was mirrored from another one, or from the other side of it, is forgotten. */
export async function writeAccount(
  ctx: RequestContext,
  account: ProviderAccount,
  fetch: { livemode: boolean; fetchSeq: number },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockMirror(tx.db)
    const before = await findAccount(tx.db)
    const isOther = before !== undefined && (before.id !== account.id || before.livemode !== fetch.livemode)
    if (isOther) {
      await emptyMirror(tx.db)
      await deleteEventSettings(tx.db)
      await deleteProblem(tx.db)
      const named = { account: account.id, livemode: fetch.livemode }
      await recordAudit(tx, { action: 'mirror.empty', resource: 'mirror', id: before.id, before, after: named })
      tx.log.warn({ before: before.id, ...named }, 'the key opens another account; the mirror starts anew')
    }
    await upsertAccount(tx.db, account, { ...fetch, fetchedAt: new Date(tx.clock()) })
    if (!isOther && (before?.default_currency ?? 'usd') !== account.defaultCurrency) await rebuildCustomerTotals(tx.db)
  })
}
