import type { invoices } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest, beginAction, openText, perform } from '../../billing/index.ts'
import { type Answer, deliver } from '../delivery/deliver.ts'
import type { Order } from '../delivery/new-invoice.ts'
import { findSameOpen, lockRecipient, type Recipient } from '../queries/invoices.ts'
import { checkRecipient, totalOf } from '../rules.ts'

export async function createInvoice(
  ctx: RequestContext,
  body: BodyOf<typeof invoices.createInvoice>,
  claim: Claim | null,
): Promise<Answer> {
  const { customer, currency, lines, days_until_due, memo, email: previewed } = body
  const same = [currency, lines, days_until_due, memo ?? null]
  const request = actionRequest('invoice_create', customer, claim, same)
  const begun = await beginAction<Recipient | undefined, Answer>(ctx, request, {
    lock: (tx) => lockRecipient(tx.db, customer),
    async prepare(tx, recipient) {
      if (!recipient) throw notFound(`Customer ${customer}`)
      const email = checkRecipient(recipient, currency, previewed)
      const total = totalOf(body)
      const other = await findSameOpen(tx.db, customer, request.hash ?? '')
      if (other) throw new AppError('conflict', `${openText(other, tx.clock())}. Wait for that first.`)
      const payload: Order = { customer, currency, lines, days_until_due, ...(memo && { memo }), email, total }
      return { payload, amount: total, currency }
    },
  })
  return 'answer' in begun ? begun.answer : perform(ctx, begun, deliver)
}
