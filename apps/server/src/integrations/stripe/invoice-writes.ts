import { checkObject } from './answers.ts'
import { ProviderError } from './errors.ts'
import type { Answer, InvoiceAct, InvoiceDraft, InvoiceItem, PaymentOfInvoice, StripeGateway } from './gateway.ts'

export type Ask = (method: string, path: string, params?: Record<string, unknown>, key?: string) => Promise<unknown>

const pathOf = (id: string): string => `/v1/invoices/${encodeURIComponent(id)}`

function answer(value: unknown, name: string): Answer {
  const last = (value as { lastResponse?: { requestId?: string } } | null)?.lastResponse
  return { object: checkObject(value, name), requestId: last?.requestId ?? null }
}

/** Cards of accounts from before payment methods are sources. https://docs.stripe.com/api/invoices/pay */
const sourceOf = (id: string) => (/^(card|src|ba)_/.test(id) ? { source: id } : { payment_method: id })

/** What is gone already does not have to be deleted. */
async function deleteOnce(ask: Ask, path: string): Promise<void> {
  try {
    await ask('DELETE', path)
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === 'not_found')) throw error
  }
}

export function invoiceWrites(ask: Ask) {
  return {
    async createInvoice({ idempotencyKey, ...draft }: InvoiceDraft): Promise<Answer> {
      const body = {
        customer: draft.customer,
        currency: draft.currency,
        collection_method: 'send_invoice',
        days_until_due: draft.daysUntilDue,
        // Nothing goes out, and nothing is added, but what was asked for.
        auto_advance: false,
        pending_invoice_items_behavior: 'exclude',
        metadata: draft.metadata,
        ...(draft.description !== null && { description: draft.description }),
      }
      return answer(await ask('POST', '/v1/invoices', body, idempotencyKey), 'invoice')
    },
    async createInvoiceItem({ idempotencyKey, ...item }: InvoiceItem): Promise<Answer> {
      const body = {
        customer: item.customer,
        invoice: item.invoice,
        currency: item.currency,
        description: item.description,
        unit_amount_decimal: String(item.unitAmount),
        quantity: item.quantity,
        discountable: false,
        metadata: item.metadata,
      }
      return answer(await ask('POST', '/v1/invoiceitems', body, idempotencyKey), 'invoiceitem')
    },
    async actOnInvoice(id: string, act: InvoiceAct, idempotencyKey: string): Promise<Answer> {
      return answer(await ask('POST', `${pathOf(id)}/${act}`, undefined, idempotencyKey), 'invoice')
    },
    async payInvoice(id: string, how: PaymentOfInvoice, idempotencyKey: string): Promise<Answer> {
      const body = how === 'out_of_band' ? { paid_out_of_band: true } : sourceOf(how.method)
      return answer(await ask('POST', `${pathOf(id)}/pay`, body, idempotencyKey), 'invoice')
    },
    async deleteInvoiceDraft(id: string, items: readonly string[]): Promise<void> {
      // What is left of a deleted draft would wait for the customer's next invoice.
      for (const item of items) await deleteOnce(ask, `/v1/invoiceitems/${encodeURIComponent(item)}`)
      await deleteOnce(ask, pathOf(id))
    },
  } satisfies Partial<StripeGateway>
}
