import { randomUUID } from 'node:crypto'
import type { Caller } from '../../../../test/request.ts'
import { insertRows } from '../../../../test/rows.ts'
import type { AppContext } from '../../../context.ts'

async function purchase({ pool }: AppContext): Promise<string> {
  const id = `cs_${randomUUID()}`
  await insertRows(pool, 'checkout_sessions', [{ id, raw: { livemode: false } }])
  return id
}

/** One call of each that changes something, ready to succeed. */
export const resetSamples = (ctx: () => AppContext, root: () => Caller) => ({
  resetPurchase: async () => ({
    caller: root(),
    path: `/v1/admin/purchases/${await purchase(ctx())}/reset`,
    body: {},
  }),
  bulkResetPurchases: async () => ({
    caller: root(),
    path: '/v1/admin/purchase-resets',
    body: { purchaseIds: [await purchase(ctx())] },
  }),
  undoPurchaseReset: async () => {
    const made = await root().post(`/v1/admin/purchases/${await purchase(ctx())}/reset`, {})
    return { caller: root(), path: `/v1/admin/purchase-resets/${made.json().reset.id}/undo`, body: {} }
  },
})
