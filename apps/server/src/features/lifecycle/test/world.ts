import type { LifecyclePreview, LifecycleRun } from '@agency/contract/types'
import type { Sandbox } from '@agency/sandbox'
import type { TestContextOptions } from '../../../../test/context.ts'
import { type Console, importAll, openConsole, startTestSandbox } from '../../../../test/fixtures/mirror.ts'
import { startWorld as openWorld } from '../../../../test/fixtures/world.ts'
import { type Caller, request } from '../../../../test/request.ts'
import { applyObject } from '../../mirror/index.ts'

export type World = {
  sandbox: Sandbox
  console: Console
  root: Caller
  openProcess(options?: TestContextOptions): Promise<Console>
  close(): Promise<void>
}

export async function startWorld(customers = 6): Promise<World> {
  const { sandbox, stop } = await startTestSandbox({ size: { customers } })
  const main = await openConsole(sandbox)
  await importAll(main.system)
  main.enqueued.length = 0
  const more: Console[] = []
  return {
    sandbox,
    console: main,
    root: request(main.ctx).as('super_admin'),
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

/** What the provider says of it now. */
export const mirror = ({ console: { system } }: World, kind: 'customer' | 'subscription' | 'invoice', id: string) =>
  applyObject(system, { kind, id }, 'webhook')

/** A customer of its own, with as many live subscriptions. */
export async function makeCustomer(
  world: World,
  subscriptions = 1,
  input: Record<string, unknown> = {},
  terms: Record<string, unknown> = {},
) {
  const { customer } = await world.sandbox.control.scenario('customer_created', input)
  const id = String(customer)
  const made: string[] = []
  for (let count = 0; count < subscriptions; count++) {
    const started = await world.sandbox.control.scenario('subscription_started', { customer: id, ...terms })
    made.push(String(started['subscription']))
  }
  await mirror(world, 'customer', id)
  for (const subscription of made) await mirror(world, 'subscription', subscription)
  world.console.enqueued.length = 0
  return { id, subscriptions: made }
}

/** An open invoice whose first attempt failed. */
export async function makeOverdue(world: World, customer: string, subscription: string): Promise<string> {
  await world.sandbox.control.scenario('set_card', { customer, decline: 'insufficient_funds' })
  await world.sandbox.control.scenario('subscription_renewed', { subscription })
  const { client } = await openWorld(world.sandbox)
  const [draft] = (await client.invoices.list({ subscription, status: 'draft' })).data
  if (!draft) throw new Error('No invoice is due')
  await client.invoices.finalizeInvoice(draft.id)
  await world.sandbox.control.scenario('invoice_paid', { invoice: draft.id })
  await mirror(world, 'invoice', draft.id)
  await mirror(world, 'subscription', subscription)
  return draft.id
}

export const pauseOf = async ({ sandbox }: World, id: string): Promise<string | null> => {
  const found = (await sandbox.control.dump('subscription')).find((subscription) => subscription['id'] === id)
  return (found?.['pause_collection'] as { behavior: string } | null)?.behavior ?? null
}

export const customerOf = async ({ root }: World, id: string) =>
  (await root.get(`/stripe/customers/${id}`)).json().customer

type Lifecycle = {
  suspension: { reason: string; awaited_invoices: string[] } | null
  deletion: { erase_at: string | null; erased_at: string | null } | null
  runs: LifecycleRun[]
}
export const lifecycleOf = async ({ root }: World, id: string): Promise<Lifecycle> =>
  (await root.get(`/stripe/customers/${id}/lifecycle`)).json()

export const previewOf = async ({ root }: World, id: string, what: string): Promise<LifecyclePreview> =>
  (await root.get(`/stripe/customers/${id}/${what}`)).json().preview

export const statesOf = (run: LifecycleRun | undefined): string[] =>
  (run?.steps ?? []).map(({ kind, state }) => `${kind} ${state}`)

/** Requests that change something at the provider and name this target. */
export const sentAbout = ({ sandbox }: World, target: string) =>
  sandbox
    .requestLog()
    .filter(({ method, path, params }) => method !== 'GET' && `${path} ${JSON.stringify(params)}`.includes(target))

export async function auditOf({ console: { ctx } }: World, resourceId: string): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('audit_entries')
    .select(['action', 'outcome', 'after', 'actor_type'])
    .where('resource_id', '=', resourceId)
    .orderBy('id')
    .execute()
  return rows.map(({ action, outcome, after, actor_type }) => {
    const { state } = (after ?? {}) as { state?: string }
    return `${actor_type} ${action} ${state ?? ''} ${outcome}`.replace('  ', ' ')
  })
}

export const noMoney = { billing: 'keep', notice: false, reason: 'abuse' } as const
