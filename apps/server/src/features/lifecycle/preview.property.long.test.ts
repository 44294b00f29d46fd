import type { LifecyclePreview, Money } from '@agency/contract/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyTotals } from '../mirror/index.ts'
import { customerOf, lifecycleOf, makeCustomer, makeOverdue, mirror, startWorld, type World } from './test/world.ts'

const situations = 200

let world: World
beforeAll(async () => {
  world = await startWorld(3)
})
afterAll(() => world?.close())

/** A small generator of its own, so that a failing situation can be made again from its number. */
function random(seed: number): (below: number) => number {
  let state = (seed + 1) * 2_654_435_761
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return state % below
  }
}

const pick = <T>(below: (n: number) => number, from: readonly T[]): T => from[below(from.length)] as T

const prices = ['starter.month.usd', 'starter.year.usd', 'professional.month.eur', 'business.year.usd'] as const

type Situation = { id: string; subscriptions: string[] }

/** Some subscriptions, some of them paused by hand, past due, to be cancelled or ended. */
async function makeSituation(below: (n: number) => number): Promise<Situation> {
  const price = pick(below, prices)
  const made = await makeCustomer(world, below(4), {}, { price, quantity: 1 + below(3) })
  const stripe = world.console.ctx.stripe!
  for (const [index, subscription] of made.subscriptions.entries()) {
    const key = `situation-${subscription}-${index}`
    const fate = below(7)
    if (fate === 0)
      await stripe.updateSubscription(
        subscription,
        { pause_collection: { behavior: pick(below, ['void', 'keep_as_draft', 'mark_uncollectible']) } },
        key,
      )
    if (fate === 1) await stripe.cancelSubscription(subscription, { at: 'now', idempotencyKey: key })
    if (fate === 2) await stripe.cancelSubscription(subscription, { at: 'period_end', idempotencyKey: key })
    if (fate === 3) await makeOverdue(world, made.id, subscription)
    await mirror(world, 'subscription', subscription)
  }
  return made
}

type Act = { preview: string; path: string; body: (preview: LifecyclePreview) => object }

function acts(below: (n: number) => number): Act[] {
  const billing = pick(below, ['keep', 'keep_as_draft', 'void', 'mark_uncollectible'])
  const reason = pick(below, ['non_payment', 'abuse', 'customer_request'])
  const notice = below(2) === 0
  const suspend: Act = {
    preview: `suspend?reason=${reason}&billing=${billing}&notice=${notice}`,
    path: 'suspend',
    body: () => ({ reason, billing, notice }),
  }
  const lift: Act = { preview: `unsuspend?notice=${notice}`, path: 'unsuspend', body: () => ({ notice }) }
  const atStripe = below(2) === 0
  const remove: Act = {
    preview: `delete?at_stripe=${atStripe}`,
    path: 'delete',
    body: ({ typed_name }) => ({ at_stripe: atStripe, ...(atStripe && { typed_name }) }),
  }
  const erase: Act = { preview: 'erase', path: 'erase', body: ({ typed_name }) => ({ typed_name }) }
  return pick(below, [
    [suspend, lift],
    [suspend, remove],
    [remove, erase],
    [suspend, lift, remove, erase],
  ])
}

type Exact = Map<string, string>

/** Exact, of one customer. */
async function mrrOf(id: string): Promise<Exact> {
  const { rows } = await world.console.ctx.pool.query(
    'select currency, sum(mrr)::text as mrr from subscriptions where customer_id = $1 group by currency',
    [id],
  )
  return new Map(rows.map(({ currency, mrr }) => [currency, mrr]))
}

async function difference(before: Exact, after: Exact): Promise<Money[]> {
  const changes: Money[] = []
  for (const currency of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const { rows } = await world.console.ctx.pool.query('select round_half_even($1::numeric - $2::numeric) as amount', [
      after.get(currency) ?? '0',
      before.get(currency) ?? '0',
    ])
    if (Number(rows[0].amount) !== 0) changes.push({ currency, amount: Number(rows[0].amount) })
  }
  return changes
}

const mailsTo = (id: string) =>
  world.console.ctx.db.selectFrom('mails').select(['id', 'subject']).where('kind', 'like', `%:${id}`).execute()

type Standing = { status: string; pause: string | null }
async function standings(ids: readonly string[]): Promise<Map<string, Standing>> {
  const all = await world.sandbox.control.dump('subscription')
  return new Map(
    ids.map((id): [string, Standing] => {
      const subscription = all.find((one) => one['id'] === id)
      const pause = subscription?.['pause_collection'] as { behavior: string } | null | undefined
      return [id, { status: String(subscription?.['status']), pause: pause?.behavior ?? null }]
    }),
  )
}

/** What has become of each subscription, in the words of the preview. */
function changeOf(before: Standing | undefined, after: Standing | undefined): string {
  if (before?.status !== 'canceled' && after?.status === 'canceled') return 'cancelled'
  if (before?.pause === after?.pause) return 'unchanged'
  return after?.pause === null ? 'resumed' : 'paused'
}

async function expectAsTold({ id, subscriptions }: Situation, act: Act): Promise<void> {
  const preview: LifecyclePreview = (await world.root.get(`/stripe/customers/${id}/${act.preview}`)).json().preview
  expect(preview.blocked).toBeNull()
  const before = { standing: await standings(subscriptions), mrr: await mrrOf(id), mails: await mailsTo(id) }
  const answer = await world.root.post(`/stripe/customers/${id}/${act.path}`, act.body(preview))
  expect(answer.statusCode).toBe(200)
  await world.console.runJobs()
  const [run] = (await lifecycleOf(world, id)).runs
  expect(run).toMatchObject({ state: 'done' })
  expect(run?.steps.map(({ title }) => title)).toEqual(preview.steps)

  const after = await standings(subscriptions)
  const happened = subscriptions
    .filter((subscription) => before.standing.get(subscription)?.status !== 'canceled')
    .map((subscription) => [subscription, changeOf(before.standing.get(subscription), after.get(subscription))])
  expect(Object.fromEntries(happened)).toEqual(
    Object.fromEntries(preview.subscriptions.map((told) => [told.id, told.change])),
  )
  expect(await difference(before.mrr, await mrrOf(id))).toEqual(preview.mrr_change)
  if (act.path === 'erase') return
  const known = new Set(before.mails.map((mail) => mail.id))
  const written = (await mailsTo(id)).filter((mail) => !known.has(mail.id))
  expect(written.map(({ subject }) => subject)).toEqual(preview.mails.map(({ subject }) => subject))
}

test(`${situations} situations: what was told before is what then happened`, async () => {
  for (let number = 0; number < situations; number++) {
    const below = random(number)
    const situation = await makeSituation(below)
    for (const act of acts(below)) {
      try {
        await expectAsTold(situation, act)
      } catch (error) {
        throw new Error(`Situation ${number}, ${act.preview}: ${(error as Error).message}`, { cause: error })
      }
    }
    const hidden = (await customerOf(world, situation.id)).status
    expect(['active', 'suspended', 'pending', 'cancelled', 'deleted']).toContain(hidden)
  }
  expect(await verifyTotals(world.console.ctx.db)).toEqual([])
})
