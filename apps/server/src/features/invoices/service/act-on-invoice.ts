import type { InvoiceAction } from '@agency/contract/invoices'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest, answerAction, beginAction, openText, perform } from '../../billing/index.ts'
import type { InvoicePayload } from '../delivery/attempt.ts'
import { type Answer, deliver } from '../delivery/deliver.ts'
import { changedText } from '../delivery/state.ts'
import { findOpenAction, type InvoiceRecord, lockInvoice } from '../queries/invoices.ts'
import { refusalsOf } from '../rules.ts'

const kindOf = {
  send: 'invoice_send',
  pay: 'invoice_pay',
  mark_paid: 'invoice_mark_paid',
  void: 'invoice_void',
  mark_uncollectible: 'invoice_uncollectible',
} as const satisfies Record<InvoiceAction, string>

const unchanged: Record<InvoiceAction, string> = {
  send: 'Nothing was sent',
  pay: 'Nothing was charged',
  mark_paid: 'Nothing was changed',
  void: 'Nothing was voided',
  mark_uncollectible: 'Nothing was changed',
}

/** What a person confirmed beside the act. */
type Terms = { amount?: number; payment_method?: string }

async function check(
  tx: TransactionContext,
  invoice: InvoiceRecord,
  act: InvoiceAction,
  { amount = invoice.amount_remaining }: Terms,
): Promise<void> {
  const isOther = amount !== invoice.amount_remaining
  const refusal = refusalsOf(invoice)[act] ?? (isOther ? changedText(invoice.amount_remaining, invoice.currency) : null)
  if (refusal) throw new AppError('conflict', `${refusal}. ${unchanged[act]}.`)
  const other = await findOpenAction(tx.db, invoice.id)
  if (other) throw new AppError('conflict', `${openText(other, tx.clock())}. Wait for that first.`)
}

/** What became of an invoice that was to be made or acted on. */
export const answerInvoice = (ctx: RequestContext, id: string): Promise<Answer> => answerAction(ctx, id)

/** Sends, charges, marks as paid, voids or writes off an invoice that is there. */
export async function actOnInvoice(
  ctx: RequestContext,
  id: string,
  act: InvoiceAction,
  claim: Claim | null,
  terms: Terms = {},
): Promise<Answer> {
  const request = actionRequest(kindOf[act], id, claim)
  const begun = await beginAction<InvoiceRecord | undefined, Answer>(ctx, request, {
    lock: (tx) => lockInvoice(tx.db, id),
    async prepare(tx, invoice) {
      if (!invoice) throw notFound(`Invoice ${id}`)
      await check(tx, invoice, act, terms)
      const { customer_id: customer, number, currency, amount_remaining: amount, customer_email } = invoice
      const email = act === 'send' && customer_email ? { email: customer_email } : {}
      const method = terms.payment_method === undefined ? {} : { payment_method: terms.payment_method }
      const payload: InvoicePayload = { customer, number, ...email, ...method, amount }
      return { payload, amount: amount > 0 ? amount : null, currency }
    },
  })
  return 'answer' in begun ? begun.answer : perform(ctx, begun, deliver)
}
