import { noSuch } from '../../http/errors.ts'
import { equals, within } from '../../http/list.ts'
import { created, hash, page, played, required, str, unsupported } from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import type { Reader } from '../../store/reader.ts'
import type { Entry } from '../../world/world.ts'
import { balanceTransaction } from '../objects/balance-transaction.ts'
import type { Dispute, PortalSession } from '../types.ts'

const portalFlows = [
  'customer_update',
  'payment_method_update',
  'subscription_cancel',
  'subscription_pause',
  'subscription_update',
] as const

const portalShape = {
  after_expiration: unsupported(),
  configuration: unsupported(),
  customer: required(str()),
  flow_data: hash({
    after_completion: unsupported(),
    subscription_cancel: hash({ subscription: required(str()), retention: unsupported() }),
    subscription_pause: hash({ subscription: required(str()) }),
    subscription_update: hash({ subscription: required(str()) }),
    subscription_update_confirm: unsupported(),
    type: required(played(...portalFlows)),
  }),
  locale: str(),
  on_behalf_of: unsupported(),
  return_url: str(),
}

export const portal: Route[] = [
  writeRoute(
    {
      name: 'billingPortal.sessions.create',
      path: '/v1/billing_portal/sessions',
      kind: 'portal_session',
      shape: portalShape,
    },
    async ({ world, params }) => {
      if (!(await world.get('customer', params.customer))) throw noSuch('customer', params.customer, 'customer', 400)
      const { flow_data: flow } = params
      const subscription =
        flow?.subscription_cancel?.subscription ??
        flow?.subscription_pause?.subscription ??
        flow?.subscription_update?.subscription
      if (subscription && !(await world.get('subscription', subscription))) {
        throw noSuch('subscription', subscription, `flow_data[${flow?.type}][subscription]`, 400)
      }
      const session: PortalSession = {
        id: world.newId('bps'),
        object: 'billing_portal.session',
        configuration: 'bpc_1HarborPineDefault',
        created: world.now,
        customer: params.customer,
        customer_account: null,
        flow: flow
          ? {
              after_completion: { hosted_confirmation: null, redirect: null, type: 'portal_homepage' },
              customer_update: flow.type === 'customer_update' ? {} : null,
              subscription_cancel:
                flow.type === 'subscription_cancel' && subscription ? { retention: null, subscription } : null,
              subscription_pause: flow.type === 'subscription_pause' && subscription ? { subscription } : null,
              subscription_update: flow.type === 'subscription_update' && subscription ? { subscription } : null,
              subscription_update_confirm: null,
              type: flow.type,
            }
          : null,
        livemode: false,
        locale: params.locale ?? null,
        on_behalf_of: null,
        return_url: params.return_url ?? null,
        url: `https://billing.stripe.com/p/session/test_${world.ids.text(48)}`,
      }
      return shown('portal_session', world.insert('portal_session', session))
    },
  ),
]

const sumOf = (rows: { currency: string; amount: number }[]) =>
  rows.map(({ currency, amount }) => ({ amount, currency, source_types: { card: amount } }))

export const balances: Route[] = [
  readRoute({ name: 'balance.retrieve', path: '/v1/balance', kind: 'other', shape: {} }, async ({ read, now }) => {
    const clearing = now - 2 * 86_400
    const { entries } = await read.page({
      kind: 'charge',
      conditions: [...equals('tag', 'succeeded'), { sql: (at) => `created > ${at}`, value: now - 30 * 86_400 }],
      limit: 10_000,
    })
    const sums = { available: new Map<string, number>(), pending: new Map<string, number>() }
    for (const { doc, created } of entries) {
      const charge = doc as { amount: number; amount_refunded: number; currency: string }
      const part = created > clearing ? sums.pending : sums.available
      part.set(charge.currency, (part.get(charge.currency) ?? 0) + charge.amount - charge.amount_refunded)
    }
    const list = (map: Map<string, number>) => sumOf([...map].map(([currency, amount]) => ({ currency, amount })))
    const body = { object: 'balance', available: list(sums.available), livemode: false, pending: list(sums.pending) }
    return { type: 'object', kind: 'other', body }
  }),
  readRoute(
    { name: 'balanceTransactions.retrieve', path: '/v1/balance_transactions/:id', kind: 'other', shape: {} },
    async ({ read, id }) => {
      for (const [prefix, kind] of [
        ['ch', 'charge'],
        ['py', 'charge'],
        ['re', 'refund'],
      ] as const) {
        const entry = await read.one(kind, id.replace(/^txn_/, `${prefix}_`))
        const source = entry?.doc as { balance_transaction: string | null } | undefined
        if (source?.balance_transaction !== id) continue
        return { type: 'object', kind: 'other', body: { ...balanceTransaction({ ...source }, id) } }
      }
      const disputed = await disputeOf(read, id)
      const body = disputed?.balance_transactions.find((transaction) => transaction.id === id)
      if (body) return { type: 'object', kind: 'other', body: { ...body } }
      throw noSuch('balance transaction', id)
    },
  ),
  readRoute(
    {
      name: 'balanceTransactions.list',
      path: '/v1/balance_transactions',
      kind: 'other',
      list: true,
      shape: { ...page, ending_before: unsupported(), created: created() },
    },
    async ({ read, params }) => {
      const limit = params.limit ?? 10
      const after = params.starting_after ? await sourceOf(read, params.starting_after) : undefined
      if (after === null) throw noSuch('balance transaction', String(params.starting_after), 'starting_after', 400)
      const moved = { sql: (at: string) => `doc ->> 'balance_transaction' is not null and ${at}`, value: true }
      const pages = await Promise.all(
        (['charge', 'refund', 'dispute'] as const).map((kind) =>
          read.page({
            kind,
            limit,
            conditions: [...(kind === 'dispute' ? [] : [moved]), ...within(params.created)],
            ...(after && { after }),
          }),
        ),
      )
      const entries = pages.flatMap((found) => found.entries).sort((a, b) => b.created - a.created || b.ord - a.ord)
      return {
        type: 'list',
        kind: 'other',
        items: entries.slice(0, limit).flatMap(transactionsOf),
        hasMore: entries.length > limit || pages.some((found) => found.hasMore),
        url: '/v1/balance_transactions',
      }
    },
  ),
]

async function disputeOf(read: Reader, id: string): Promise<Dispute | undefined> {
  const entry = await read.one('dispute', id.replace(/^txn_(won_)?/, ''))
  return entry?.doc as Dispute | undefined
}

/** Where the charge, refund or dispute of a transaction stands; null when there is none. */
async function sourceOf(read: Reader, id: string): Promise<Entry | null> {
  for (const kind of ['charge', 'refund', 'dispute'] as const) {
    const prefixes = { charge: ['ch_', 'py_'], refund: ['re_'], dispute: [''] }[kind]
    for (const prefix of prefixes) {
      const entry = await read.one(kind, id.replace(/^txn_(won_)?/, prefix))
      if (entry) return entry
    }
  }
  return null
}

function transactionsOf({ kind, doc }: Entry): Record<string, unknown>[] {
  if (kind === 'dispute') return (doc as Dispute).balance_transactions.map((transaction) => ({ ...transaction }))
  const source = doc as { balance_transaction: string }
  return [{ ...balanceTransaction({ ...source }, source.balance_transaction) }]
}
