import { type Permission, permissions } from '@agency/contract/permissions'
import type { Sandbox } from '@agency/sandbox'
import type { LightMyRequestResponse } from 'fastify'
import type { TestContextOptions } from '../../../../../test/context.ts'
import { type Console, live, openConsole, startTestSandbox } from '../../../../../test/fixtures/mirror.ts'
import { withRuns } from '../../../../../test/money-actions.ts'
import { buildApp } from '../../../../app.ts'
import { type AppContext, asSystem, inTransaction } from '../../../../context.ts'
import type { ObjectKind } from '../../../../integrations/stripe/gateway.ts'
import { sweep } from '../../../../platform/runs/jobs.ts'
import { nextFetchSeq, writeObjects } from '../../../mirror/index.ts'
import { billingRoutes } from '../../index.ts'
import { resolveName } from '../begin-resolving.ts'
import { resolveRun } from '../resolve.ts'

type Answer = LightMyRequestResponse
type Body = Record<string, unknown>

export type Person = {
  refund(payment: string, body?: Body, key?: string): Promise<Answer>
  cancel(subscription: string, body?: Body, key?: string): Promise<Answer>
  preview(subscription: string): Promise<Answer>
  /** `verb`: undo-cancel, pause, resume or plan. */
  change(subscription: string, verb: string, body?: Body, key?: string): Promise<Answer>
  /** `path`: reach or plan-change, with its query. */
  foresee(subscription: string, path: string): Promise<Answer>
  refundReach(payment: string, query?: string): Promise<Answer>
  actions(query?: string): Promise<Answer>
  evidence(action: string): Promise<Answer>
  settle(action: string, outcome: 'happened' | 'not_happened'): Promise<Answer>
}

function appOf(ctx: AppContext) {
  return buildApp(ctx, {
    routes: billingRoutes,
    authenticate: ({ headers }) => {
      const { name, held } = JSON.parse(String(headers['x-test-actor'])) as { name: string; held: Permission[] }
      return { type: 'user', id: name.toLowerCase(), name, role: 'admin', permissions: new Set(held) }
    },
  })
}

/** Somebody with a name at one process of the console. */
export function person({ ctx }: Pick<Console, 'ctx'>, name: string, held: readonly Permission[] = permissions): Person {
  const call = (method: 'GET' | 'POST', path: string, body?: Body, key?: string): Promise<Answer> =>
    ctx.instance(appOf).inject({
      method,
      url: `/api/stripe${path}`,
      headers: {
        'x-test-actor': JSON.stringify({ name, held }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { payload: JSON.stringify(body) }),
    })
  return {
    refund: (payment, body, key) => call('POST', `/payments/${payment}/refund`, body, key),
    cancel: (subscription, body, key) => call('POST', `/subscriptions/${subscription}/cancel`, body, key),
    preview: (subscription) => call('GET', `/subscriptions/${subscription}/cancellation`),
    change: (subscription, verb, body, key) => call('POST', `/subscriptions/${subscription}/${verb}`, body, key),
    foresee: (subscription, path) => call('GET', `/subscriptions/${subscription}/${path}`),
    refundReach: (payment, query = '') => call('GET', `/payments/${payment}/refund-reach${query}`),
    actions: (query = '') => call('GET', `/actions${query}`),
    evidence: (action) => call('GET', `/actions/${action}/evidence`),
    settle: (action, outcome) => call('POST', `/actions/${action}/settle`, { outcome }),
  }
}

export type World = {
  sandbox: Sandbox
  console: Console
  ada: Person
  bob: Person
  /** One more process of the same console, at the same time of day. */
  openProcess(options?: TestContextOptions): Promise<Console>
  close(): Promise<void>
}

export async function startWorld(): Promise<World> {
  const { sandbox, stop } = await startTestSandbox({ size: { customers: 6 } })
  const main = await openConsole(sandbox)
  const more: Console[] = []
  return {
    sandbox,
    console: main,
    ada: person(main, 'Ada'),
    bob: person(main, 'Bob'),
    async openProcess(options = {}) {
      const opened = await openConsole(sandbox, { database: main.database, clock: main.clock, ...options })
      more.push(opened)
      return opened
    },
    async close() {
      for (const opened of more) await opened.close()
      await main.close()
      await stop()
    },
  }
}

/** What an event of the provider would bring: the object, and the payment that changed with it. */
export async function mirrorObject({ ctx }: Pick<Console, 'ctx'>, kind: ObjectKind, id: string): Promise<void> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await ctx.stripe?.in('job').findObject(kind, id)
  if (!object) throw new Error(`The provider has no ${kind} ${id}`)
  const fetch = { fetchSeq, fetchedAt: new Date(ctx.clock()), source: 'webhook' as const }
  await inTransaction(ctx, (tx) => writeObjects(tx, kind, [object], fetch))
  const payment = kind === 'refund' || kind === 'dispute' ? object['payment_intent'] : null
  if (typeof payment === 'string') await mirrorObject({ ctx }, 'payment', payment)
}

/** A payment at the provider and in the mirror. */
export async function makePayment(world: World, input: Body = {}, scenario = 'payment_succeeds') {
  const made = await world.sandbox.control.scenario(scenario, { amount: 10_000, ...input })
  const payment = String(made['payment_intent'])
  const customer = String(made['customer'])
  await mirrorObject(world.console, 'customer', customer)
  await mirrorObject(world.console, 'payment', payment)
  return { payment, customer }
}

export async function makeSubscription(world: World, input: Body = {}): Promise<string> {
  const made = await world.sandbox.control.scenario('subscription_started', input)
  const subscription = String(made['subscription'])
  await mirrorObject(world.console, 'customer', String(made['customer']))
  await mirrorObject(world.console, 'subscription', subscription)
  return subscription
}

type Refund = { id: string; amount: number; status: string; metadata: Record<string, string>; reason: string | null }

/** The provider's own list. */
export async function refundsOf({ sandbox }: World, payment: string): Promise<Refund[]> {
  const all = await sandbox.control.dump('refund')
  return all.filter((refund) => refund['payment_intent'] === payment) as unknown as Refund[]
}

/** Requests that change something at the provider and name this target, since `from` in the log. */
export const sentAbout = ({ sandbox }: World, target: string) =>
  sandbox
    .requestLog()
    .filter(({ method, path, params }) => method !== 'GET' && `${path} ${JSON.stringify(params)}`.includes(target))

export const actionsOf = ({ console: { ctx } }: World, target: string) =>
  withRuns(ctx).where('target_id', '=', target).orderBy('created_at').execute()

export const actionOf = ({ console: { ctx } }: World, id: string) =>
  withRuns(ctx).where('id', '=', id).executeTakeFirstOrThrow()

export async function auditOf({ console: { ctx } }: World, target: string): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('audit_entries')
    .select(['actor_name', 'action', 'outcome', 'after'])
    .where('resource_id', '=', target)
    .orderBy('id')
    .execute()
  return rows.map(
    ({ actor_name, action, outcome, after }) => `${actor_name} ${action} ${(after as Body)['state']} ${outcome}`,
  )
}

/** The sweep, as the queue would run it in this process. */
export const resolve = ({ ctx }: Pick<Console, 'ctx'>): Promise<void> =>
  sweep(asSystem(ctx, 'job', resolveName), [resolveRun({})], live())

/** Later, again and again: until nothing is left open. */
export async function resolveInTime(world: World, process: Console = world.console, hours = 0): Promise<void> {
  world.console.clock.advance(hours * 3_600_000)
  for (let tries = 0; tries < 12; tries++) {
    world.console.clock.advance(11 * 60_000)
    await resolve(process)
  }
}

export const mirroredPayment = ({ console: { ctx } }: World, id: string) =>
  ctx.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
