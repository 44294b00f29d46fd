import { badValue, noSuch, refused } from '../../http/errors.ts'
import { equals, listPage, theOne, within } from '../../http/list.ts'
import { created, emptyable, int, mergeMetadata, metadata, oneOf, page, str, unsupported } from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import type { World } from '../../world/world.ts'
import { cancelRefund, refundCharge } from '../rules/refunds.ts'
import type { Charge } from '../types.ts'

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

async function chargeToRefund(world: World, chargeId?: string, intentId?: string): Promise<Charge> {
  if (chargeId) {
    const charge = await world.get('charge', chargeId)
    if (!charge) throw noSuch('charge', chargeId, 'charge', 400)
    return charge
  }
  if (!intentId)
    throw badValue(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'charge',
    )
  const intent = await world.get('payment_intent', intentId)
  if (!intent) throw noSuch('payment_intent', intentId, 'payment_intent', 400)
  const charge = intent.latest_charge ? await world.get('charge', intent.latest_charge) : undefined
  if (!charge || charge.status === 'failed') {
    throw refused(
      `This PaymentIntent (${intentId}) does not have a successful charge to refund.`,
      'intent_invalid_state',
    )
  }
  return charge
}

async function checkRefundable(world: World, charge: Charge): Promise<void> {
  if (charge.status === 'failed') throw refused(`Charge ${charge.id} has failed and cannot be refunded.`)
  if (charge.status === 'pending') {
    throw refused(`Charge ${charge.id} is pending and cannot be refunded before it has succeeded.`)
  }
  const disputes = charge.disputed ? await world.find('dispute', { charge: charge.id }) : []
  if (disputes.some(({ status }) => status !== 'won')) {
    throw refused(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed')
  }
  if (charge.refunded || charge.amount_refunded >= charge.amount_captured) {
    throw refused(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded')
  }
}

const dollars = (amount: number, currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() }).format(
    currency === 'jpy' ? amount : amount / 100,
  )

function checkAmount(charge: Charge, amount: number): void {
  const left = charge.amount_captured - charge.amount_refunded
  if (amount <= left) return
  throw refused(
    `Refund amount (${dollars(amount, charge.currency)}) is greater than unrefunded amount on charge (${dollars(left, charge.currency)})`,
    undefined,
    'amount',
  )
}

const createShape = {
  amount: int(1),
  charge: str(),
  payment_intent: str(),
  currency: unsupported(),
  customer: unsupported(),
  instructions_email: unsupported(),
  metadata: metadata(),
  origin: unsupported(),
  reason: oneOf(...reasons),
  refund_application_fee: unsupported(),
  reverse_transfer: unsupported(),
}

export const refunds: Route[] = [
  readRoute(
    {
      name: 'refunds.list',
      path: '/v1/refunds',
      kind: 'refund',
      list: true,
      shape: { ...page, charge: str(), created: created(), payment_intent: str() },
    },
    ({ read, params }) =>
      listPage(read, {
        kind: 'refund',
        url: '/v1/refunds',
        params,
        conditions: [
          ...equals('charge', params.charge),
          ...equals('payment_intent', params.payment_intent),
          ...within(params.created),
        ],
      }),
  ),
  readRoute({ name: 'refunds.retrieve', path: '/v1/refunds/:id', kind: 'refund', shape: {} }, async ({ read, id }) =>
    shown('refund', await theOne(read, 'refund', id)),
  ),
  writeRoute(
    { name: 'refunds.create', path: '/v1/refunds', kind: 'refund', shape: createShape },
    async ({ world, params }) => {
      const charge = await chargeToRefund(world, params.charge, params.payment_intent)
      await checkRefundable(world, charge)
      const amount = params.amount ?? charge.amount_captured - charge.amount_refunded
      checkAmount(charge, amount)
      const refund = await refundCharge(world, {
        charge,
        amount,
        reason: params.reason ?? null,
        metadata: mergeMetadata({}, params.metadata),
      })
      return shown('refund', refund)
    },
  ),
  writeRoute(
    { name: 'refunds.update', path: '/v1/refunds/:id', kind: 'refund', shape: { metadata: emptyable(metadata()) } },
    async ({ world, id, params }) => {
      if (!(await world.get('refund', id))) throw noSuch('refund', id)
      const refund = await world.change(
        'refund',
        id,
        (draft) => {
          draft.metadata = mergeMetadata(draft.metadata, params.metadata)
        },
        'refund.updated',
      )
      return shown('refund', refund)
    },
  ),
  writeRoute(
    { name: 'refunds.cancel', path: '/v1/refunds/:id/cancel', kind: 'refund', shape: {} },
    async ({ world, id }) => {
      const refund = await world.get('refund', id)
      if (!refund) throw noSuch('refund', id)
      if (refund.status !== 'requires_action') {
        throw refused('Only refunds that are in status requires_action can be canceled.')
      }
      await cancelRefund(world, id)
      return shown('refund', await world.need('refund', id))
    },
  ),
]
