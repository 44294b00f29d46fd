import { makeInvoiceItem } from '../stripe/objects/invoice.ts'
import { makeCharge } from '../stripe/objects/payment.ts'
import { collectInvoice } from '../stripe/rules/collect.ts'
import { draftInvoice, finalizeInvoice } from '../stripe/rules/invoices.ts'
import { attemptIntent, createIntent } from '../stripe/rules/payments.ts'
import { pauseSubscription } from '../stripe/rules/renew.ts'
import { day, hour } from '../world/periods.ts'
import * as acts from './acts.ts'
import { couponIds } from './catalogue.ts'
import { after, before, customerOf, methodIn, type Plot, priceOf, setOutcome, stage } from './plot.ts'

export type Story = (plot: Plot) => void

const inCurrency = (plot: Plot, price: string) => `${price}.${plot.currency}`
const decline = (plot: Plot, at: number, code: string, times: number | null) =>
  stage(plot, at, (scene) => setOutcome(scene, { decline: code, times }))

const steady =
  (price: string, options: Partial<acts.SubscribeOptions> = {}): Story =>
  (plot) =>
    acts.subscribe(plot, after(plot, 0.1), { items: [{ price: inCurrency(plot, price) }], ...options })

/** Failed and then paid: one payment intent with several failed charges and a success. */
const recovered =
  (price: string, monthsAgo: number, code: string, times: number): Story =>
  (plot) => {
    steady(price)(plot)
    decline(plot, before(plot, monthsAgo), code, times)
  }

const trial = (price: string, days: number, ending: 'kept' | 'left' | 'running'): Story => {
  return (plot) => {
    const start = ending === 'running' ? before(plot, (days / 30) * 0.6) : after(plot, 0.05)
    acts.subscribe(plot, start, { items: [{ price: inCurrency(plot, price) }], trialDays: days })
    if (ending === 'left') acts.cancelNow(plot, start + (days - 2) * day, 'too_complex', 'Not what we were looking for')
  }
}

const moved = (from: string, to: string, months: number, behavior?: 'always_invoice'): Story => {
  return (plot) => {
    steady(from)(plot)
    acts.switchTo(plot, after(plot, months), inCurrency(plot, to), behavior ?? 'create_prorations')
  }
}

const churned = (price: string, months: number, feedback: string, atEnd = false): Story => {
  return (plot) => {
    steady(price)(plot)
    const end = atEnd ? acts.cancelAtEnd : acts.cancelNow
    end(plot, after(plot, months), feedback)
  }
}

const refunded = (price: string, steps: { months: number; options: acts.RefundOptions }[]): Story => {
  return (plot) => {
    steady(price)(plot)
    for (const { months, options } of steps) acts.refundLast(plot, before(plot, months), options)
  }
}

const disputed = (price: string, months: number, reason: string, outcome: 'won' | 'lost' | null): Story => {
  return (plot) => {
    steady(price)(plot)
    acts.disputeLast(plot, before(plot, months), reason, outcome)
  }
}

const paused = (price: string, behavior: string): Story => {
  return (plot) => {
    steady(price)(plot)
    acts.pauseCollection(plot, before(plot, 2.4), behavior)
  }
}

const failing = (
  price: string,
  monthsAgo: number,
  code: string,
  afterRetries: 'cancel' | 'unpaid' | 'past_due',
): Story => {
  return (plot) => {
    steady(price, { afterRetries })(plot)
    decline(plot, before(plot, monthsAgo), code, null)
  }
}

/** A first payment that fails leaves the subscription incomplete, and after 23 hours expired. */
const incomplete = (price: string, hoursAgo: number): Story => {
  return (plot) => {
    const at = plot.end - hoursAgo * hour
    decline(plot, at - 60, 'do_not_honor', null)
    acts.subscribe(plot, at, { items: [{ price: inCurrency(plot, price) }] })
  }
}

const came = (price: string, gone: number, back: number): Story => {
  return (plot) => {
    churned(price, gone, 'switched_service')(plot)
    acts.subscribe(plot, after(plot, back), { items: [{ price: inCurrency(plot, 'professional.month') }] })
  }
}

const loneInvoice = (price: string, monthsAgo: number): Story => {
  return (plot) =>
    stage(plot, before(plot, monthsAgo), async (scene) => {
      const { world } = scene
      const customer = await customerOf(scene)
      const item = priceOf(scene, price)
      const amount = item.unit_amount ?? 0
      world.insert(
        'invoiceitem',
        makeInvoiceItem({
          id: world.newId('ii'),
          created: world.now,
          customer: customer.id,
          amount,
          currency: item.currency,
          description: 'ブランドワークショップ 東京',
          quantity: 1,
          unitAmountDecimal: String(amount),
          price: { price: item.id, product: item.product },
          period: { start: world.now, end: world.now },
          proration: false,
          subscription: null,
        }),
        { event: 'invoiceitem.created' },
      )
      const draft = await draftInvoice(world, {
        customer,
        subscription: null,
        currency: item.currency,
        reason: 'manual',
        lines: [],
        period: { start: world.now, end: world.now },
      })
      await finalizeInvoice(world, draft.id)
      await collectInvoice(world, draft.id)
    })
}

const lonePayment = (amount: number, description: string, monthsAgo: number): Story => {
  return (plot) =>
    stage(plot, before(plot, monthsAgo), async (scene) => {
      const customer = await customerOf(scene)
      const method = await methodIn(scene)
      const intent = createIntent(scene.world, { customer, amount, currency: plot.currency, description, method })
      await attemptIntent(scene.world, intent.id, method.id)
    })
}

/** Before payment intents, charges were made directly. */
const legacyCharges = (months: number[]): Story => {
  return (plot) => {
    for (const monthsAgo of months) {
      stage(plot, before(plot, monthsAgo), async (scene) => {
        const { world } = scene
        const method = await methodIn(scene)
        const charge = makeCharge({
          id: world.newId('ch'),
          created: world.now,
          amount: 12_000,
          currency: plot.currency,
          customer: scene.customerId,
          description: 'Hosting, quarterly (old billing)',
          paymentIntent: null,
          method,
          riskScore: 12,
          authorizationCode: '301884',
        })
        world.insert('charge', charge, { event: 'charge.succeeded' })
      })
    }
  }
}

const both = (...stories: Story[]): Story => {
  return (plot) => {
    for (const story of stories) story(plot)
  }
}

const everyAddOn = [
  'addon.seo',
  'addon.backup',
  'addon.security',
  'addon.cdn',
  'addon.analytics',
  'addon.email',
  'addon.staging',
  'addon.priority',
  'addon.translation',
  'addon.accessibility',
  'addon.newsletter',
]

const bundle: Story = (plot) =>
  acts.subscribe(plot, after(plot, 0.1), {
    items: [{ price: 'enterprise.month.usd' }, ...everyAddOn.map((price) => ({ price }))],
    metadata: { contract: 'HP-2025-014' },
  })

const seats: Story = (plot) => {
  acts.subscribe(plot, after(plot, 0.1), { items: [{ price: 'seats.month.usd', quantity: 8 }] })
  acts.setQuantity(plot, before(plot, 7), 15)
}

const traffic: Story = (plot) =>
  acts.subscribe(plot, after(plot, 0.1), {
    items: [{ price: 'professional.month.usd' }, { price: 'traffic.month.usd' }],
  })

const growing: Story = (plot) => {
  acts.subscribe(plot, after(plot, 0.1), { items: [{ price: 'starter.month.usd', quantity: 2 }] })
  acts.setQuantity(plot, after(plot, 5), 3)
  acts.setQuantity(plot, after(plot, 9), 6)
}

const overdue: Story = (plot) => {
  acts.subscribe(plot, after(plot, 0.1), {
    items: [{ price: inCurrency(plot, 'business.year') }],
    byInvoice: true,
    metadata: { purchase_order: 'PO-88213' },
  })
  stage(plot, after(plot, 0.11), (scene) => setOutcome(scene, { decline: 'generic_decline', times: null }))
}

export const stories = {
  steadyStarter: steady('starter.month'),
  steadyProfessional: steady('professional.month'),
  steadyBusiness: steady('business.month'),
  steadyEnterprise: steady('enterprise.month'),
  yearlyStarter: steady('starter.year'),
  yearlyProfessional: steady('professional.year'),
  yearlyBusiness: steady('business.year'),
  yearlyEnterprise: steady('enterprise.year'),
  quarterly: (plot) => acts.subscribe(plot, after(plot, 0.1), { items: [{ price: 'business.quarter.usd' }] }),
  weekly: (plot) => acts.subscribe(plot, after(plot, 0.1), { items: [{ price: 'editing.week.usd' }] }),
  classic: (plot) => acts.subscribe(plot, after(plot, 0.1), { items: [{ price: 'classic.month.usd' }] }),
  byInvoice: steady('business.month', { byInvoice: true }),
  overdue,
  nonprofit: steady('professional.month', { coupons: [couponIds.nonprofit] }),
  welcomed: steady('starter.month', { coupons: [couponIds.welcome] }),
  neighbour: steady('professional.month', { coupons: [couponIds.flat] }),
  loyal: (plot) => {
    acts.customerDiscount(plot, after(plot, 0.05), couponIds.seats)
    steady('professional.month')(plot)
  },
  firstMonth: steady('business.month', { coupons: [couponIds.once] }),
  twoCoupons: (plot) => {
    steady('business.month', { coupons: [couponIds.nonprofit] })(plot)
    acts.itemDiscount(plot, before(plot, 5), couponIds.seats)
  },
  upgraded: moved('starter.month', 'professional.month', 6.4),
  upgradedTwice: both(moved('starter.month', 'professional.month', 4.3), (plot) =>
    acts.switchTo(plot, after(plot, 11.6), inCurrency(plot, 'business.month')),
  ),
  upgradedAtOnce: moved('professional.month', 'enterprise.month', 8.2, 'always_invoice'),
  toYearly: moved('professional.month', 'professional.year', 7.7),
  downgraded: moved('business.month', 'starter.month', 5.5),
  churned: churned('professional.month', 9.3, 'too_expensive'),
  churnedLate: churned('starter.month', 13.1, 'unused'),
  churnedAtEnd: churned('business.month', 10.4, 'switched_service', true),
  churnedLately: (plot) => {
    steady('professional.month')(plot)
    acts.cancelNow(plot, before(plot, 0.4), 'low_quality', '=HYPERLINK("http://evil.example","click")')
  },
  ending: (plot) => {
    steady('business.month')(plot)
    acts.cancelAtEnd(plot, before(plot, 0.3), 'missing_features')
  },
  endingYearly: (plot) => {
    steady('enterprise.year')(plot)
    acts.cancelAtEnd(plot, before(plot, 1.2), 'customer_service')
  },
  cameBack: came('starter.month', 6.2, 12.5),
  recovered: recovered('professional.month', 6.8, 'insufficient_funds', 2),
  recoveredTwice: both(recovered('starter.month', 14.2, 'insufficient_funds', 3), (plot) =>
    decline(plot, before(plot, 3.1), 'processing_error', 1),
  ),
  recoveredLately: recovered('business.month', 1.02, 'insufficient_funds', 1),
  pastDue: failing('professional.month', 0.35, 'insufficient_funds', 'cancel'),
  lostToDunning: failing('starter.month', 5.2, 'expired_card', 'cancel'),
  unpaid: failing('business.month', 2.7, 'lost_card', 'unpaid'),
  neverSolved: failing('professional.month', 3.6, 'do_not_honor', 'past_due'),
  trialKept: trial('professional.month', 14, 'kept'),
  trialLeft: trial('starter.month', 14, 'left'),
  trialing: trial('business.month', 30, 'running'),
  trialingStarter: trial('starter.month', 14, 'running'),
  incomplete: incomplete('professional.month', 1),
  incompleteExpired: incomplete('starter.month', 480),
  pausedVoid: paused('professional.month', 'void'),
  pausedDraft: paused('starter.month', 'keep_as_draft'),
  pausedUncollectible: paused('business.month', 'mark_uncollectible'),
  pausedWhole: both(steady('starter.month'), (plot) =>
    stage(plot, before(plot, 1.7), (scene) => pauseSubscription(scene.world, scene.subscriptions.at(-1)!)),
  ),
  refundedFull: refunded('professional.month', [{ months: 4.3, options: { reason: 'duplicate' } }]),
  refundedTwice: refunded('business.month', [
    { months: 2.2, options: { share: 0.25 } },
    { months: 2.05, options: { share: 0.3 } },
  ]),
  refundFailed: refunded('enterprise.month', [{ months: 1.4, options: { share: 0.5, outcome: 'failed' } }]),
  refundWaiting: refunded('professional.month', [{ months: 0.03, options: { share: 0.4, outcome: 'pending' } }]),
  disputeWon: disputed('business.month', 7.2, 'product_not_received', 'won'),
  disputeLost: disputed('professional.month', 4.9, 'fraudulent', 'lost'),
  disputeOpen: disputed('enterprise.month', 0.2, 'subscription_canceled', null),
  bundle,
  seats,
  traffic,
  growing,
  twoSubscriptions: both(steady('business.month'), (plot) =>
    acts.subscribe(plot, after(plot, 3), { items: [{ price: 'editing.week.usd' }] }),
  ),
  yenInvoice: loneInvoice('workshop.jpy', 2.5),
  consulting: both(
    lonePayment(45_000, 'Consulting, half a day', 8.3),
    lonePayment(90_000, '<script>alert(1)</script> Consulting', 1.6),
  ),
  legacy: both(legacyCharges([22, 19, 16]), steady('classic.month')),
  failedOnce: both(
    (plot) => decline(plot, before(plot, 0.9), 'fraudulent', null),
    lonePayment(18_000, 'Extra landing page', 0.85),
  ),
  needsAction: both(
    (plot) => stage(plot, before(plot, 0.06), (scene) => setOutcome(scene, { requiresAction: true })),
    lonePayment(32_500, 'Photography day', 0.05),
  ),
  quiet: () => undefined,
} satisfies Record<string, Story>

export type StoryName = keyof typeof stories
