import { describe, expect, test } from 'vitest'
import { type Body, useSubscriptions } from './money-actions/test/subscriptions.ts'
import { actionOf, auditOf, makeSubscription, resolve, sentAbout } from './money-actions/test/world.ts'

const { own, later, mirrored, atProvider, priceId, writesTo, patchRaw } = useSubscriptions()
const dayMs = 86_400_000

describe('changing the plan', () => {
  const charge = async (id: string, price: string, proration: string) =>
    (await own.world.ada.foresee(id, `plan-change?price=${price}&proration=${proration}`)).json()

  async function lastInvoiceOf(id: string): Promise<Body> {
    const subscription = await atProvider(id)
    const invoices = await own.world.sandbox.control.dump('invoice')
    return invoices.find((invoice) => invoice['id'] === subscription['latest_invoice'])!
  }

  test('charges at once what the preview has shown', async () => {
    const id = await makeSubscription(own.world, { price: 'starter.month.usd' })
    const price = await priceId('business_month_usd')
    await own.world.sandbox.advance(5 * dayMs)
    later(5 * dayMs)
    const { reach, next_invoice: next, proration_date } = await charge(id, price, 'now')
    expect(reach).toMatchObject({
      action: 'change_plan',
      refusal: null,
      subscriptions: [{ before: { plan_name: 'Starter Care' }, after: { plan_id: price, plan_name: 'Business Care' } }],
    })
    expect(next).toMatchObject({ charged_now: true, currency: 'usd' })
    expect(next.lines).toHaveLength(2)
    expect(next.lines.every((line: { is_proration: boolean }) => line.is_proration)).toBe(true)
    expect(next.amount_due).toBeGreaterThan(0)
    const body = { price, proration: 'now', proration_date, expected_amount_due: next.amount_due }
    const answer = await own.world.ada.change(id, 'plan', body, 'plan-1')
    expect(answer.json()).toMatchObject({
      subscription: { plan_id: price, plan_name: 'Business Care', mrr: reach.mrr[0].after },
    })
    expect(await lastInvoiceOf(id)).toMatchObject({ status: 'paid', total: next.total, amount_paid: next.amount_due })
    expect(await auditOf(own.world, id)).toEqual([
      'Ada subscription.change_plan requested done',
      'Ada subscription.change_plan done done',
    ])
    expect((await own.world.ada.change(id, 'plan', body, 'plan-1')).json()).toEqual(answer.json())
    expect(writesTo(id)).toHaveLength(1)
  })

  test('leaves the difference to the next invoice, or charges none', async () => {
    const price = await priceId('business_month_usd')
    for (const proration of ['next_invoice', 'none']) {
      const id = await makeSubscription(own.world, { price: 'starter.month.usd' })
      const before = await atProvider(id)
      const { next_invoice: next, reach } = await charge(id, price, proration)
      expect(next.charged_now).toBe(false)
      expect(next.charged_at.slice(0, 10)).toBe(reach.subscriptions[0].before.current_period_end.slice(0, 10))
      expect(next.lines).toHaveLength(proration === 'none' ? 1 : 3)
      const answer = await own.world.ada.change(id, 'plan', { price, proration })
      expect(answer.statusCode).toBe(200)
      expect(await atProvider(id)).toMatchObject({ latest_invoice: before['latest_invoice'] })
    }
  })

  test('begins a new period with another rhythm', async () => {
    const id = await makeSubscription(own.world, { price: 'starter.month.usd' })
    const price = await priceId('starter_year_usd')
    const { reach, next_invoice: next, proration_date } = await charge(id, price, 'next_invoice')
    expect(next.charged_now).toBe(true)
    const body = { price, proration_date, expected_amount_due: next.amount_due }
    const { subscription } = (await own.world.ada.change(id, 'plan', body)).json()
    expect(subscription).toMatchObject({ plan_id: price, interval: 'year', mrr: reach.mrr[0].after })
    const foreseen = Date.parse(reach.subscriptions[0].after.current_period_end)
    expect(Math.abs(Date.parse(subscription.current_period_end) - foreseen)).toBeLessThan(60_000)
    expect(await lastInvoiceOf(id)).toMatchObject({ status: 'paid', total: next.total })
  })

  test('is refused when the charge would not be what was shown', async () => {
    const id = await makeSubscription(own.world, { price: 'starter.month.usd' })
    const price = await priceId('business_month_usd')
    const { next_invoice: next, proration_date } = await charge(id, price, 'now')
    const body = { price, proration: 'now', proration_date, expected_amount_due: next.amount_due - 1 }
    const answer = await own.world.ada.change(id, 'plan', body)
    expect(answer.json()).toMatchObject({ status: 409 })
    expect(answer.json().detail).toMatch(/^The next invoice would now be \$[\d.]+, not \$[\d.]+ as it was shown/)
    expect(writesTo(id)).toEqual([])
    expect(await auditOf(own.world, id)).toEqual([])
  })

  test('changes nothing when the card is declined', async () => {
    const id = await makeSubscription(own.world, { price: 'starter.month.usd' })
    const before = await atProvider(id)
    await own.world.sandbox.control.scenario('set_card', {
      customer: before['customer'],
      decline: 'insufficient_funds',
    })
    const price = await priceId('business_month_usd')
    const answer = await own.world.ada.change(id, 'plan', { price, proration: 'now' }, 'declined-1')
    expect(answer.json()).toMatchObject({
      status: 422,
      detail: 'Stripe refused this: Your card has insufficient funds.',
    })
    expect(await atProvider(id)).toEqual(before)
    expect(await mirrored(id)).toMatchObject({ price_id: (await mirrored(id)).price_id, status: 'active' })
    expect(await actionOf(own.world, 'declined-1')).toMatchObject({ state: 'failed' })
    expect((await auditOf(own.world, id)).at(-1)).toBe('Ada subscription.change_plan failed failed')
    await own.world.sandbox.control.scenario('set_card', { customer: before['customer'] })
  })

  test('is refused to the same price, another currency, an archived or a one-off price', async () => {
    const id = await makeSubscription(own.world, { price: 'starter.month.usd' })
    const archived = await priceId('professional_month_usd')
    const { pool } = own.world.console.ctx
    await pool.query('update prices set active = false where id = $1', [archived])
    const prices = await own.world.sandbox.control.dump('price')
    const other = prices.find((price) => price['currency'] !== 'usd' && price['type'] === 'recurring')
    const once = prices.find((price) => price['type'] === 'one_time' && price['currency'] === 'usd')
    const cases: [string, string][] = [
      [await priceId('starter_month_usd'), 'already has this price'],
      [String(other!['id']), 'the currency cannot be changed'],
      [archived, 'Archived price'],
      ...(once ? [[String(once['id']), 'One-time price'] as [string, string]] : []),
    ]
    for (const [price, why] of cases) {
      const answer = await own.world.ada.change(id, 'plan', { price })
      expect(answer.json()).toMatchObject({ status: 409 })
      expect(answer.json().detail).toContain(why)
      const { reach, next_invoice } = await charge(id, price, 'now')
      expect(reach.refusal).toContain(why)
      expect(next_invoice).toBe(null)
      expect(reach.subscriptions[0].after).toEqual(reach.subscriptions[0].before)
    }
    await pool.query('update prices set active = true where id = $1', [archived])
    expect(sentAbout(own.world, id)).toEqual([])
    expect(await auditOf(own.world, id)).toEqual([])
    expect((await own.world.ada.change(id, 'plan', { price: 'price_none' })).statusCode).toBe(404)
  })

  test.each([
    [{ cancel_at_period_end: true }, 'Undo the cancellation first'],
    [{ pause_collection: { behavior: 'void', resumes_at: null } }, 'Resume first'],
    [{ status: 'unpaid' }, 'unpaid invoices'],
    [{ status: 'incomplete' }, 'first payment'],
    [{ status: 'canceled' }, 'has ended'],
  ])('is refused while the subscription is %o', async (change, why) => {
    const id = await makeSubscription(own.world, { price: 'starter.month.usd' })
    await patchRaw(id, change)
    const answer = await own.world.ada.change(id, 'plan', { price: await priceId('business_month_usd') })
    expect(answer.json()).toMatchObject({ status: 409 })
    expect(answer.json().detail).toContain(why)
    expect(sentAbout(own.world, id)).toEqual([])
  })

  test.each([
    [{ proration: 'later' }, 'proration'],
    [{ proration_date: 0 }, 'proration_date'],
    [{ proration_date: 1.5 }, 'proration_date'],
    [{ proration_date: 4_000_000_000 }, 'proration_date'],
    [{ expected_amount_due: 0.5 }, 'expected_amount_due'],
    [{ item: 'si_none' }, 'item'],
  ])('refuses %o', async (change, parameter) => {
    const id = await makeSubscription(own.world, { price: 'starter.month.usd' })
    const body = { price: await priceId('business_month_usd'), ...change }
    expect((await own.world.ada.change(id, 'plan', body)).json()).toMatchObject({ status: 400, parameter })
    expect(sentAbout(own.world, id)).toEqual([])
  })

  test('refuses a preview that is too old', async () => {
    const id = await makeSubscription(own.world, { price: 'starter.month.usd' })
    const price = await priceId('business_month_usd')
    const at = Math.floor(own.world.console.clock.now() / 1000) - 2 * 3600
    const answer = await own.world.ada.change(id, 'plan', { price, proration: 'now', proration_date: at })
    expect(answer.json()).toMatchObject({ status: 409 })
    expect(answer.json().detail).toContain('too old')
  })

  test('finds out what became of a lost answer, and charges once', async () => {
    const id = await makeSubscription(own.world, { price: 'starter.month.usd' })
    const price = await priceId('business_month_usd')
    own.world.sandbox.faults.next('stripe', { path: `/v1/subscriptions/${id}` }, { connection: 'lost' }, 3)
    const answer = await own.world.ada.change(id, 'plan', { price, proration: 'now' }, 'plan-lost')
    expect(answer.json()).toMatchObject({ code: 'outcome_unknown' })
    expect(answer.json().detail).toContain('Outcome of the plan change unknown')
    own.world.sandbox.faults.clear()
    later(6000)
    await resolve(own.world.console)
    expect(await actionOf(own.world, 'plan-lost')).toMatchObject({ state: 'done' })
    expect(await mirrored(id)).toMatchObject({ price_id: price })
    const invoices = await own.world.sandbox.control.dump('invoice')
    const ofIt = invoices.filter((invoice) => JSON.stringify(invoice['parent']).includes(id))
    expect(ofIt).toHaveLength(2)
  })
})
