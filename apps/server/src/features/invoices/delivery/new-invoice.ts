import type { NewInvoice } from '@agency/contract/invoices'
import { type Fields, fields, items, text } from '../../../integrations/stripe/fields.ts'
import type { ProviderObject } from '../../../integrations/stripe/gateway.ts'
import { pagesOf } from '../../../integrations/stripe/pages.ts'
import { moneyText } from '../../../platform/money-text.ts'
import { type ActionRow, NotDone, type Work } from '../../billing/index.ts'
import { attempt, clocksDifferMs, need, refuse } from './attempt.ts'
import { finalize, send } from './send.ts'

export type Order = NewInvoice & { email: string; total: number }

export const orderOf = ({ payload }: ActionRow): Order => payload as Order

const maxPages = 10

/** The draft that an action made, found among the customer's invoices since. */
export async function findMade({ stripe, action }: Work): Promise<ProviderObject | null> {
  const createdFrom = new Date(action.created_at.getTime() - clocksDifferMs)
  const load = (startingAfter: string | undefined) =>
    stripe.listObjects('invoice', { customer: action.target_id, createdFrom, ...(startingAfter && { startingAfter }) })
  for await (const { objects } of pagesOf(load, { what: 'new invoices of one customer', most: maxPages })) {
    const found = objects.find((invoice) => fields(invoice['metadata'])['action_id'] === action.id)
    if (found) return found
  }
  return null
}

function makeDraft(work: Work, order: Order): Promise<ProviderObject> {
  const { stripe, action } = work
  return attempt(work, {
    isFirst: true,
    call: async () => {
      const { object } = await stripe.createInvoice({
        customer: order.customer,
        currency: order.currency,
        daysUntilDue: order.days_until_due,
        description: order.memo || null,
        metadata: { action_id: action.id },
        idempotencyKey: `${action.provider_key}-create`,
      })
      return object
    },
    find: () => findMade(work),
  })
}

const itemOf = (line: Fields): string | null =>
  text(fields(fields(line['parent'])['invoice_item_details'])['invoice_item'])

async function addLine(work: Work, order: Order, invoice: string, index: number): Promise<void> {
  const { stripe, action } = work
  const line = order.lines[index]
  if (!line) return
  await attempt<object>(work, {
    call: () =>
      stripe.createInvoiceItem({
        customer: order.customer,
        invoice,
        currency: order.currency,
        description: line.description,
        unitAmount: line.unit_amount,
        quantity: line.quantity,
        metadata: { line: String(index) },
        idempotencyKey: `${action.provider_key}-line-${index}`,
      }),
    async find() {
      const { object } = await need(work, invoice)
      const found = items(object['lines']).find((each) => fields(each['metadata'])['line'] === String(index))
      return found ?? (fields(object['lines'])['has_more'] === true ? undefined : null)
    },
  })
}

/** What was previewed is what goes out, or nothing does. */
function checkDraft(draft: ProviderObject, order: Order): void {
  const { total, customer_email } = draft
  if (total !== order.total) {
    const [now, then] = [Number(total), order.total].map((amount) => moneyText(amount, order.currency))
    throw refuse(`Stripe calculates ${now} instead of ${then}. Nothing was sent.`)
  }
  if (customer_email !== order.email)
    throw refuse(
      `At Stripe the customer's email address is ${customer_email ?? 'missing'}. Nothing was sent: check and send again.`,
    )
}

async function fillDraft(work: Work, order: Order, id: string): Promise<void> {
  const { object: before } = await need(work, id)
  if (text(before['status']) !== 'draft') return
  for (const index of order.lines.keys()) {
    await addLine(work, order, id, index)
    await work.mark()
  }
  checkDraft((await need(work, id)).object, order)
  await finalize(work, id)
}

/** Nobody was asked for anything yet, so nothing may stay. */
export async function removeDraft({ ctx, stripe }: Work, id: string): Promise<void> {
  try {
    const draft = await stripe.findObject('invoice', id)
    if (!draft || text(draft['status']) !== 'draft') return
    const made = items(draft['lines']).map(itemOf)
    await stripe.deleteInvoiceDraft(
      id,
      made.filter((item) => item !== null),
    )
  } catch (error) {
    ctx.log.warn({ err: error, invoiceId: id }, 'draft of an invoice that was not sent could not be removed')
  }
}

/** Makes the invoice, fills it, holds it against what was previewed, and sends it: each step once, however often it runs. */
export async function deliverNew(work: Work): Promise<{ id: string; requestId: string | null }> {
  const order = orderOf(work.action)
  const id = work.action.result_id ?? (await makeDraft(work, order)).id
  await work.mark({ result_id: id })
  try {
    await fillDraft(work, order, id)
  } catch (error) {
    if (error instanceof NotDone) await removeDraft(work, id)
    throw error
  }
  await work.mark()
  return { id, requestId: await send(work, id) }
}
