import type { TransactionContext } from '../../context.ts'
import type { ObjectKind, ProviderObject } from '../../integrations/stripe/gateway.ts'
import { withoutPersonal } from '../customer-states/index.ts'
import { emptyEvents, findOwned, replacePersonal } from './queries/personal.ts'

const kinds: readonly ObjectKind[] = [
  'customer',
  'subscription',
  'invoice',
  'payment',
  'charge',
  'dispute',
  'checkout_session',
]

/** Takes what says who a customer is out of every copy, also of what is deleted at the provider. */
export async function forgetPersonal(
  { db }: Pick<TransactionContext, 'db'>,
  customerId: string,
): Promise<{ objects: number; payments: string[] }> {
  const ids: string[] = []
  let payments: string[] = []
  for (const kind of kinds) {
    const rows = await findOwned(db, kind, customerId)
    for (const { id, raw } of rows)
      await replacePersonal(db, kind, withoutPersonal(kind, { ...raw, id } as ProviderObject))
    ids.push(...rows.map(({ id }) => id))
    if (kind === 'payment') payments = rows.map(({ id }) => id)
  }
  await emptyEvents(db, customerId, ids)
  return { objects: ids.length, payments }
}
