import { ApiError, badValue, missingParameter, noSuch, refused } from '../../http/errors.ts'
import {
  bool,
  emptyable,
  hash,
  int,
  mergeMetadata,
  metadata,
  oneOf,
  type Params,
  played,
  str,
  unsupported,
} from '../../http/params.ts'
import { type Route, shown, type WriteContext, writeRoute } from '../../http/route.ts'
import { backingOf } from '../../store/store.ts'
import { day } from '../../world/periods.ts'
import type { World } from '../../world/world.ts'
import { collectInvoice, invoicePaid } from '../rules/collect.ts'
import { draftInvoice, finalizeInvoice, markUncollectible, voidInvoice } from '../rules/invoices.ts'
import { previewInvoice, scratchWorld } from '../rules/preview.ts'
import type { Invoice } from '../types.ts'
import { declined } from './declined.ts'
import { anchorOf, asItemChanges, itemChanges, namedItems, newDiscounts, redemptionsOf } from './subscription-writes.ts'

const editable = {
  auto_advance: bool(),
  automatic_tax: unsupported(),
  collection_method: oneOf('charge_automatically', 'send_invoice'),
  custom_fields: unsupported(),
  days_until_due: int(0),
  default_payment_method: unsupported(),
  description: emptyable(str(1500)),
  discounts: unsupported(),
  due_date: int(0),
  footer: emptyable(str(5000)),
  metadata: metadata(),
  payment_settings: unsupported(),
  statement_descriptor: unsupported(),
}

const createShape = {
  ...editable,
  footer: unsupported(),
  currency: str(3),
  customer: str(),
  pending_invoice_items_behavior: oneOf('exclude', 'include'),
  subscription: str(),
}

async function invoiceOf(world: World, id: string): Promise<Invoice> {
  const invoice = await world.get('invoice', id)
  if (!invoice) throw noSuch('invoice', id)
  return invoice
}

async function create(world: World, params: Params<typeof createShape>): Promise<Invoice> {
  const subscription = params.subscription ? await world.get('subscription', params.subscription) : undefined
  if (params.subscription && !subscription) throw noSuch('subscription', params.subscription, 'subscription', 400)
  const customerId = params.customer ?? subscription?.customer
  if (!customerId) throw missingParameter('customer')
  const customer = await world.get('customer', customerId)
  if (!customer) throw noSuch('customer', customerId, 'customer', 400)
  if (params.collection_method === 'send_invoice' && params.days_until_due === undefined && !params.due_date) {
    throw missingParameter('days_until_due')
  }
  if (params.collection_method === 'send_invoice' && !customer.email) {
    throw refused(
      'Missing email. In order to create invoices that are sent to the customer, the customer must have a valid email.',
    )
  }
  const draft = await draftInvoice(world, {
    customer,
    subscription: subscription ?? null,
    currency: params.currency?.toLowerCase() ?? subscription?.currency ?? customer.currency ?? 'usd',
    reason: 'manual',
    lines: [],
    period: { start: world.now, end: world.now },
    collectionMethod: params.collection_method ?? 'charge_automatically',
    daysUntilDue: params.due_date ? (params.due_date - world.now) / day : (params.days_until_due ?? null),
    description: params.description ?? null,
    metadata: mergeMetadata({}, params.metadata),
    autoAdvance: params.auto_advance ?? false,
    includePending: params.pending_invoice_items_behavior === 'include',
  })
  if (draft.automatically_finalizes_at) world.schedule('finalize', draft.id, draft.automatically_finalizes_at)
  return draft
}

function applyEdits(draft: Invoice, params: Params<typeof editable>): void {
  if (params.auto_advance !== undefined) draft.auto_advance = params.auto_advance
  if (params.description !== undefined) draft.description = params.description
  if (params.footer !== undefined) draft.footer = params.footer
  if (params.due_date !== undefined) draft.due_date = params.due_date
  if (params.collection_method) draft.collection_method = params.collection_method
  if (params.days_until_due !== undefined) draft.due_date = draft.created + params.days_until_due * day
  draft.metadata = mergeMetadata(draft.metadata, params.metadata)
}

async function finalize(world: World, id: string, autoAdvance?: boolean): Promise<Invoice> {
  const before = await invoiceOf(world, id)
  if (before.status !== 'draft') {
    throw refused("This invoice is already finalized, you can't re-finalize a non-draft invoice.")
  }
  world.unschedule('finalize', id)
  const invoice = await finalizeInvoice(world, id)
  const collects = (autoAdvance ?? before.auto_advance) && invoice.collection_method === 'charge_automatically'
  if (collects && invoice.status === 'open') await collectInvoice(world, id)
  return await world.need('invoice', id)
}

async function sendInvoice(world: World, id: string): Promise<Invoice> {
  const before = await invoiceOf(world, id)
  if (before.collection_method !== 'send_invoice')
    throw refused("You can only manually send an invoice if its collection method is 'send_invoice'.")
  if (before.status === 'draft') await finalize(world, id, false)
  const invoice = await world.need('invoice', id)
  if (invoice.status === 'void' || invoice.status === 'uncollectible') {
    throw refused(`You can't send an invoice with status ${invoice.status}.`, 'invoice_not_editable')
  }
  world.emit('invoice.sent', 'invoice', invoice)
  return invoice
}

const payShape = {
  forgive: unsupported(),
  mandate: unsupported(),
  // Nobody is there to act when the sandbox charges a card.
  off_session: played('true'),
  paid_out_of_band: bool(),
  payment_method: str(),
  source: unsupported(),
}

async function pay({ world, id, params, unit }: WriteContext<typeof payShape>): Promise<Invoice> {
  const before = await invoiceOf(world, id)
  if (before.status === 'paid') throw refused('Invoice is already paid', 'invoice_already_paid')
  if (before.status === 'void') throw refused('Invoice is void and cannot be paid.', 'invoice_not_editable')
  if (before.status === 'draft') await finalize(world, id, false)
  if (params.paid_out_of_band) return await invoicePaid(world, id, true)
  if (params.payment_method && !(await world.get('payment_method', params.payment_method))) {
    throw noSuch('payment_method', params.payment_method, 'payment_method', 400)
  }
  const attempt = await collectInvoice(world, id, params.payment_method)
  if (attempt === 'failed' || attempt === 'requires_action') {
    // The failed attempt is part of the world, unlike other refusals: it must outlive the error.
    await unit.keep()
    throw await declined(world, id, 'invoice')
  }
  return await world.need('invoice', id)
}

const previewShape = {
  automatic_tax: unsupported(),
  currency: unsupported(),
  customer: str(),
  preview_mode: played('next'),
  subscription: str(),
  subscription_details: hash({
    billing_cycle_anchor: int(0),
    cancel_at: unsupported(),
    cancel_at_period_end: unsupported(),
    cancel_now: bool(),
    items: itemChanges,
    metadata: unsupported(),
    proration_behavior: oneOf('always_invoice', 'create_prorations', 'none'),
    proration_date: int(0),
    trial_end: int(0),
  }),
  invoice_items: unsupported(),
  discounts: newDiscounts,
  schedule: unsupported(),
}

/** What a subscription would be made of that is not there yet. */
async function begunBy(
  world: World,
  customer: string,
  { subscription_details: details, discounts: given }: Params<typeof previewShape>,
) {
  if (!details?.items) return undefined
  const items = await namedItems(world, details.items, 'subscription_details')
  return {
    items,
    trialEnd: details.trial_end ?? null,
    anchor: anchorOf(world, items, details.billing_cycle_anchor, details.trial_end ?? null),
    coupons: await redemptionsOf(world, given, { customer, items }),
  }
}

async function preview({ world, params, unit }: WriteContext<typeof previewShape>): Promise<Invoice> {
  const subscription = params.subscription ? await world.get('subscription', params.subscription) : undefined
  if (params.subscription && !subscription) throw noSuch('subscription', params.subscription, 'subscription', 400)
  const customerId = params.customer ?? subscription?.customer
  if (!customerId) throw missingParameter('customer')
  const customer = await world.get('customer', customerId)
  if (!customer) throw noSuch('customer', customerId, 'customer', 400)
  const details = params.subscription_details
  if (subscription && details?.trial_end)
    throw badValue('The sandbox previews trials of new subscriptions only.', 'trial_end')
  if (subscription && details?.billing_cycle_anchor)
    throw badValue('The sandbox previews the anchor of new subscriptions only.', 'billing_cycle_anchor')
  if (subscription && params.discounts)
    throw badValue('The sandbox previews discounts of new subscriptions only.', 'discounts')
  const invoice = await previewInvoice(scratchWorld(world, backingOf(unit, unit.schema)), {
    customer,
    subscription: subscription ?? null,
    begun: subscription ? undefined : await begunBy(world, customerId, params),
    changes: subscription ? await asItemChanges(world, subscription, details?.items) : [],
    behavior: details?.proration_behavior ?? 'create_prorations',
    prorationDate: details?.proration_date,
    cancelNow: details?.cancel_now ?? false,
  })
  if (invoice) return invoice
  throw new ApiError(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: `No upcoming invoices for customer: ${customerId}`,
  })
}

const invoiceRoute = (verb: string, name: string, act: (world: World, id: string) => Promise<Invoice>): Route =>
  writeRoute({ name, path: `/v1/invoices/:id/${verb}`, kind: 'invoice', shape: {} }, async ({ world, id }) =>
    shown('invoice', await act(world, id)),
  )

async function mustBe(world: World, id: string, allowed: string[], verb: string): Promise<void> {
  const { status } = await invoiceOf(world, id)
  if (!allowed.includes(status ?? '')) {
    throw refused(`You can only ${verb} an invoice that is ${allowed.join(' or ')}; this one is ${status}.`)
  }
}

export const invoiceWrites: Route[] = [
  writeRoute(
    { name: 'invoices.create', path: '/v1/invoices', kind: 'invoice', shape: createShape },
    async ({ world, params }) => shown('invoice', await create(world, params)),
  ),
  writeRoute(
    { name: 'invoices.createPreview', path: '/v1/invoices/create_preview', kind: 'invoice', shape: previewShape },
    async (context) => shown('invoice', await preview(context)),
  ),
  writeRoute(
    { name: 'invoices.update', path: '/v1/invoices/:id', kind: 'invoice', shape: editable },
    async ({ world, id, params }) => {
      await invoiceOf(world, id)
      return shown(
        'invoice',
        await world.change('invoice', id, (draft) => applyEdits(draft, params), 'invoice.updated'),
      )
    },
  ),
  writeRoute(
    {
      name: 'invoices.finalizeInvoice',
      path: '/v1/invoices/:id/finalize',
      kind: 'invoice',
      shape: { auto_advance: bool() },
    },
    async ({ world, id, params }) => shown('invoice', await finalize(world, id, params.auto_advance)),
  ),
  writeRoute(
    { name: 'invoices.pay', path: '/v1/invoices/:id/pay', kind: 'invoice', shape: payShape },
    async (context) => shown('invoice', await pay(context)),
  ),
  invoiceRoute('send', 'invoices.sendInvoice', sendInvoice),
  invoiceRoute('void', 'invoices.voidInvoice', async (world, id) => {
    await mustBe(world, id, ['open', 'uncollectible'], 'void')
    return await voidInvoice(world, id)
  }),
  invoiceRoute('mark_uncollectible', 'invoices.markUncollectible', async (world, id) => {
    await mustBe(world, id, ['open'], 'mark as uncollectible')
    return await markUncollectible(world, id)
  }),
  writeRoute(
    { name: 'invoices.del', method: 'DELETE', path: '/v1/invoices/:id', kind: 'invoice', shape: {} },
    async ({ world, id }) => {
      await mustBe(world, id, ['draft'], 'delete')
      for (const item of await world.find('invoiceitem', { invoice: id })) {
        await world.change('invoiceitem', item.id, { invoice: null }, null)
      }
      world.unschedule('finalize', id)
      await world.remove('invoice', id, 'invoice.deleted')
      return { type: 'object', kind: 'other', body: { id, object: 'invoice', deleted: true } }
    },
  ),
]
