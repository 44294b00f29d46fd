import { describe, expect, test } from 'vitest'
import { type Body, useSubscriptions } from './money-actions/test/subscriptions.ts'
import {
  actionOf,
  auditOf,
  makeSubscription,
  mirrorObject,
  person,
  resolve,
  sentAbout,
} from './money-actions/test/world.ts'

const { own, later, mirrored, atProvider, priceId, writesTo, patchRaw } = useSubscriptions()
const dayMs = 86_400_000

/** The provider's own door, as somebody in its dashboard would use it. */
async function elsewhere(id: string, change: Record<string, string>): Promise<void> {
  const answer = await fetch(`${own.world.sandbox.stripe.baseUrl}/v1/subscriptions/${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.world.sandbox.stripe.secretKey}` },
    body: new URLSearchParams(change),
  })
  expect(answer.status).toBe(200)
}

describe('undoing a cancellation', () => {
  test('lets the subscription go on', async () => {
    const id = await makeSubscription(own.world)
    await own.world.ada.cancel(id, { at: 'period_end' })
    const { reach } = (await own.world.bob.foresee(id, 'reach?action=undo_cancel')).json()
    expect(reach).toMatchObject({ refusal: null, subscriptions: [{ after: { cancel_at_period_end: false } }] })
    const answer = await own.world.bob.change(id, 'undo-cancel', undefined, 'undo-1')
    expect(answer.json()).toMatchObject({
      success: true,
      subscription: { status: 'active', cancel_at_period_end: false, cancel_at: null },
    })
    expect(await atProvider(id)).toMatchObject({ cancel_at_period_end: false, cancel_at: null })
    expect(await mirrored(id)).toMatchObject({ cancel_at_period_end: false, source: 'action' })
    expect((await auditOf(own.world, id)).slice(2)).toEqual([
      'Bob subscription.undo_cancel requested done',
      'Bob subscription.undo_cancel done done',
    ])
    expect((await own.world.bob.change(id, 'undo-cancel', undefined, 'undo-1')).json()).toEqual(answer.json())
    expect(writesTo(id)).toHaveLength(2)
  })

  test('takes back an end on a date too', async () => {
    const id = await makeSubscription(own.world)
    const at = Math.floor(own.world.sandbox.control.now() / 1000) + 5 * 86_400
    await elsewhere(id, { cancel_at: String(at) })
    await mirrorObject(own.world.console, 'subscription', id)
    expect((await mirrored(id)).cancel_at).not.toBe(null)
    expect((await own.world.ada.change(id, 'undo-cancel')).statusCode).toBe(200)
    expect(await atProvider(id)).toMatchObject({ cancel_at: null, cancel_at_period_end: false })
  })

  test('is refused where nothing is scheduled, or all is over', async () => {
    const id = await makeSubscription(own.world)
    const refusal = await own.world.ada.change(id, 'undo-cancel')
    expect(refusal.json()).toMatchObject({
      status: 409,
      detail: 'No cancellation of this subscription is scheduled',
    })
    await own.world.ada.cancel(id, { at: 'period_end' })
    await own.world.ada.cancel(id, { at: 'now' })
    const sent = writesTo(id).length
    const audit = await auditOf(own.world, id)
    const late = await own.world.ada.change(id, 'undo-cancel')
    expect(late.json()).toMatchObject({ status: 409 })
    expect(late.json().detail).toContain('has already ended')
    expect(writesTo(id)).toHaveLength(sent)
    expect(await auditOf(own.world, id)).toEqual(audit)
  })

  test('is refused once the end has come, although the mirror has not heard of it', async () => {
    const id = await makeSubscription(own.world)
    await own.world.ada.cancel(id, { at: 'period_end' })
    await patchRaw(id, { cancel_at: Math.floor(own.world.console.clock.now() / 1000) - 60 })
    const sent = writesTo(id).length
    expect((await own.world.ada.change(id, 'undo-cancel')).json().detail).toContain('the customer needs a new one')
    expect(writesTo(id)).toHaveLength(sent)
  })
})

describe('pausing and resuming', () => {
  test('pauses without an end, and goes on when resumed', async () => {
    const id = await makeSubscription(own.world)
    const before = await mirrored(id)
    const answer = await own.world.ada.change(id, 'pause', { behavior: 'void' }, 'pause-1')
    expect(answer.json()).toMatchObject({
      subscription: { status: 'active', pause_collection: 'void', pause_resumes_at: null, mrr: 0 },
    })
    expect(await atProvider(id)).toMatchObject({ pause_collection: { behavior: 'void', resumes_at: null } })
    expect(Number(before.mrr)).toBeGreaterThan(0)
    const resumed = await own.world.bob.change(id, 'resume')
    expect(resumed.json()).toMatchObject({ subscription: { pause_collection: null, mrr: Number(before.mrr) } })
    expect(await atProvider(id)).toMatchObject({ pause_collection: null })
    expect(await auditOf(own.world, id)).toEqual([
      'Ada subscription.pause requested done',
      'Ada subscription.pause done done',
      'Bob subscription.resume requested done',
      'Bob subscription.resume done done',
    ])
  })

  test('pauses until a date, and takes other terms while it is paused', async () => {
    const id = await makeSubscription(own.world)
    const until = new Date(own.world.console.clock.now() + 30 * dayMs)
    until.setUTCMilliseconds(0)
    const wire = until.toISOString().replace('.000Z', 'Z')
    const body = { behavior: 'keep_as_draft', resumes_at: wire }
    const answer = await own.world.ada.change(id, 'pause', body)
    expect(answer.json()).toMatchObject({
      subscription: { pause_collection: 'keep_as_draft', pause_resumes_at: wire, mrr: expect.any(Number) },
    })
    expect((await own.world.ada.foresee(id, 'reach?action=resume')).json().reach).toMatchObject({ refusal: null })
    const again = await own.world.bob.change(id, 'pause', body)
    expect(again.json()).toEqual(answer.json())
    expect(writesTo(id)).toHaveLength(1)
    await own.world.bob.change(id, 'pause', { behavior: 'mark_uncollectible', resumes_at: null })
    expect(await atProvider(id)).toMatchObject({
      pause_collection: { behavior: 'mark_uncollectible', resumes_at: null },
    })
  })

  test.each([
    [{ behavior: 'sleep' }, 'behavior'],
    [{}, 'behavior'],
    [{ behavior: 'void', resumes_at: 'tomorrow' }, 'resumes_at'],
    [{ behavior: 'void', resumes_at: '2020-01-01T00:00:00Z' }, 'resumes_at'],
    [{ behavior: 'void', until: '2030-01-01T00:00:00Z' }, 'until'],
  ])('refuses %o', async (body, parameter) => {
    const id = await makeSubscription(own.world)
    expect((await own.world.ada.change(id, 'pause', body)).json()).toMatchObject({ status: 400, parameter })
    expect(sentAbout(own.world, id)).toEqual([])
    expect(await auditOf(own.world, id)).toEqual([])
  })

  test('is refused for one that has ended, and resuming for one that is not paused', async () => {
    const id = await makeSubscription(own.world)
    expect((await own.world.ada.change(id, 'resume')).json()).toMatchObject({
      status: 409,
      detail: 'Collection of this subscription is not paused',
    })
    await own.world.ada.cancel(id)
    const sent = writesTo(id).length
    for (const [verb, body] of [
      ['pause', { behavior: 'void' }],
      ['resume', {}],
    ] as const) {
      const answer = await own.world.ada.change(id, verb, body)
      expect(answer.json()).toMatchObject({ status: 409 })
      expect(answer.json().detail).toContain('has ended')
    }
    expect(writesTo(id)).toHaveLength(sent)
  })

  test('tells apart one that the provider itself holds', async () => {
    const id = await makeSubscription(own.world)
    await patchRaw(id, { status: 'paused' })
    expect((await own.world.ada.change(id, 'pause', { behavior: 'void' })).json().detail).toContain(
      'Already paused by Stripe',
    )
    expect((await own.world.ada.change(id, 'resume')).json().detail).toContain('without a payment method')
    expect(writesTo(id)).toEqual([])
  })
})

describe('refusals of all', () => {
  const calls: [verb: string, body: Body][] = [
    ['undo-cancel', {}],
    ['pause', { behavior: 'void' }],
    ['resume', {}],
    ['plan', { price: 'price_none' }],
  ]

  test.each(calls)('%s needs the permission to write, and something that exists', async (verb, body) => {
    const id = await makeSubscription(own.world)
    const eve = person(own.world.console, 'Eve', ['billing.read'])
    expect((await eve.change(id, verb, body)).json()).toMatchObject({ status: 403, permission: 'billing.write' })
    expect((await own.world.ada.change('sub_none', verb, body)).statusCode).toBe(404)
    expect((await own.world.ada.change(id, verb, { ...body, more: 1 })).json()).toMatchObject({ status: 400 })
    expect(sentAbout(own.world, id)).toEqual([])
  })

  test('their previews need the permission to read', async () => {
    const id = await makeSubscription(own.world)
    const mallory = person(own.world.console, 'Mallory', ['customers.read'])
    for (const path of ['reach?action=pause', `plan-change?price=${await priceId('business_month_usd')}`])
      expect((await mallory.foresee(id, path)).statusCode).toBe(403)
    const eve = person(own.world.console, 'Eve', ['billing.read'])
    expect((await eve.foresee(id, 'reach?action=pause')).statusCode).toBe(200)
    expect((await eve.foresee('sub_none', 'reach?action=pause')).statusCode).toBe(404)
    expect((await eve.foresee(id, 'reach?action=cancel')).statusCode).toBe(400)
    expect((await mallory.refundReach('pi_none')).statusCode).toBe(403)
    expect((await eve.refundReach('pi_none')).statusCode).toBe(404)
  })

  test('a failure that the provider keeps under the key blocks nothing for long', async () => {
    const id = await makeSubscription(own.world)
    own.world.sandbox.faults.next('stripe', { path: `/v1/subscriptions/${id}` }, { status: 500, kept: true }, 1)
    const answer = await own.world.ada.change(id, 'pause', { behavior: 'void' }, 'kept-pause')
    expect(answer.statusCode).not.toBe(200)
    later(6000)
    await resolve(own.world.console)
    const message = 'Stripe failed and the subscription is unchanged. Try again.'
    expect(await actionOf(own.world, 'kept-pause')).toMatchObject({ state: 'failed', error: { message } })
    expect((await atProvider(id))['pause_collection']).toBeNull()
    expect((await own.world.bob.change(id, 'pause', { behavior: 'void' }, 'kept-pause-2')).statusCode).toBe(200)
  })

  test('one change at a time', async () => {
    const id = await makeSubscription(own.world)
    own.world.sandbox.faults.next('stripe', { path: `/v1/subscriptions/${id}` }, { connection: 'lost' }, 3)
    await own.world.ada.change(id, 'pause', { behavior: 'void' }, 'slow-1')
    own.world.sandbox.faults.clear()
    const other = await own.world.bob.cancel(id)
    expect(other.json()).toMatchObject({ status: 409 })
    expect(other.json().detail).toMatch(/^Ada started a pause of collection just now; outcome unknown/)
    const { reach } = (await own.world.bob.foresee(id, 'reach?action=pause&behavior=keep_as_draft')).json()
    expect(reach.refusal).toContain('Ada started a pause of collection')
    later(6000)
    await resolve(own.world.console)
    expect(await actionOf(own.world, 'slow-1')).toMatchObject({ state: 'done' })
    expect(await mirrored(id)).toMatchObject({ pause_collection: 'void' })
    expect((await own.world.bob.cancel(id)).statusCode).toBe(200)
  })
})
