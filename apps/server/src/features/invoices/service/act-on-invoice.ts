import type { InvoiceAction } from '@agency/contract/invoices'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest, answerAction, beginAction, openText, perform } from '../../billing/index.ts'
import type { InvoicePayload } from '../delivery/acts.ts'
import { type Answer, deliver } from '../delivery/deliver.ts'
import { findOpenAction, type InvoiceRecord, lockInvoice } from '../queries/invoices.ts'
import { refusalsOf } from '../rules.ts'

const kindOf = {
  send: 'invoice_send',
  void: 'invoice_void',
  mark_uncollectible: 'invoice_uncollectible',
} as const satisfies Record<InvoiceAction, string>

const unchanged = { send: 'Nothing was sent', void: 'Nothing was voided', mark_uncollectible: 'Nothing was changed' }

async function check(tx: TransactionContext, invoice: InvoiceRecord, act: InvoiceAction): Promise<void> {
  const refusal = refusalsOf(invoice)[act]
  if (refusal) throw new AppError('conflict', `${refusal}. ${unchanged[act]}.`)
  const other = await findOpenAction(tx.db, invoice.id)
  if (other) throw new AppError('conflict', `${openText(other, tx.clock())}. Wait for that first.`)
}

/** What became of an invoice that was to be made, sent, voided or written off. */
export const answerInvoice = (ctx: RequestContext, id: string): Promise<Answer> => answerAction(ctx, id)

/** Sends, voids or writes off an invoice that is there. */
export async function actOnInvoice(
  ctx: RequestContext,
  id: string,
  act: InvoiceAction,
  claim: Claim | null,
): Promise<Answer> {
  const request = actionRequest(kindOf[act], id, claim)
  const begun = await beginAction<InvoiceRecord | undefined, Answer>(ctx, request, {
    lock: (tx) => lockInvoice(tx.db, id),
    async prepare(tx, invoice) {
      if (!invoice) throw notFound(`Invoice ${id}`)
      await check(tx, invoice, act)
      const { customer_id: customer, number, currency, amount_remaining: amount, customer_email } = invoice
      const email = act === 'send' && customer_email ? { email: customer_email } : {}
      const payload: InvoicePayload = { customer, number, ...email, amount }
      return { payload, amount: amount > 0 ? amount : null, currency }
    },
  })
  return 'answer' in begun ? begun.answer : perform(ctx, begun, deliver)
}
