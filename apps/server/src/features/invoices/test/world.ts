import { randomUUID } from 'node:crypto'
import { type Permission, permissions } from '@agency/contract/permissions'
import type { Sandbox } from '@agency/sandbox'
import type { LightMyRequestResponse } from 'fastify'
import { type Console, live, openConsole, startTestSandbox } from '../../../../test/fixtures/mirror.ts'
import { withRuns } from '../../../../test/money-actions.ts'
import { buildApp } from '../../../app.ts'
import { type AppContext, asSystem, inTransaction } from '../../../context.ts'
import type { ObjectKind } from '../../../integrations/stripe/gateway.ts'
import { sweep } from '../../../platform/runs/jobs.ts'
import { resolveRun } from '../../billing/index.ts'
import { nextFetchSeq, writeObjects } from '../../mirror/index.ts'
import { invoiceHandlers, invoiceRoutes } from '../index.ts'

type Body = Record<string, unknown>
type Answer = LightMyRequestResponse

function appOf(ctx: AppContext) {
  return buildApp(ctx, {
    routes: invoiceRoutes,
    authenticate: ({ headers }) => {
      const { name, held } = JSON.parse(String(headers['x-test-actor'])) as { name: string; held: Permission[] }
      return { type: 'user', id: name.toLowerCase(), name, role: 'admin', permissions: new Set(held) }
    },
  })
}

export function person({ ctx }: Pick<Console, 'ctx'>, name: string, held: readonly Permission[] = permissions) {
  const call = (method: 'GET' | 'POST', path: string, body?: unknown, key?: string): Promise<Answer> =>
    ctx.instance(appOf).inject({
      method,
      url: `/api/stripe${path}`,
      headers: {
        'x-test-actor': JSON.stringify({ name, held }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
  return {
    get: (path: string) => call('GET', path),
    create: (body: unknown, key?: string) => call('POST', '/invoices', body, key),
    preview: (body: unknown) => call('POST', '/invoices/preview', body),
    act: (id: string, verb: 'send' | 'void' | 'mark-uncollectible', key?: string) =>
      call('POST', `/invoices/${id}/${verb}`, undefined, key),
  }
}

export type World = {
  sandbox: Sandbox
  console: Console
  ada: ReturnType<typeof person>
  openProcess(): Promise<Console>
  close(): Promise<void>
}

type Places = Pick<World, 'sandbox' | 'console'>

export async function startWorld(): Promise<World> {
  const { sandbox, stop } = await startTestSandbox({ size: { customers: 1 } })
  const main = await openConsole(sandbox)
  const more: Console[] = []
  return {
    sandbox,
    console: main,
    ada: person(main, 'Ada'),
    async openProcess() {
      const opened = await openConsole(sandbox, { database: main.database, clock: main.clock })
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

/** What an event of the provider would bring. */
export async function mirror({ console: { ctx } }: Places, kind: ObjectKind, id: string): Promise<void> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await ctx.stripe?.in('job').findObject(kind, id)
  if (!object) throw new Error(`The provider has no ${kind} ${id}`)
  const fetch = { fetchSeq, fetchedAt: new Date(ctx.clock()), source: 'webhook' as const }
  await inTransaction(ctx, (tx) => writeObjects(tx, kind, [object], fetch))
}

/** Asks the provider without the console. */
export async function atProvider({ sandbox }: Places, path: string, body: Record<string, string> = {}): Promise<Body> {
  const { baseUrl, secretKey } = sandbox.stripe
  const answer = await fetch(`${baseUrl}/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(body).toString(),
  })
  const object = (await answer.json()) as Body
  if (!answer.ok) throw new Error(JSON.stringify(object))
  return object
}

export async function makeCustomer(world: Places, body: Record<string, string> = {}): Promise<string> {
  const made = await atProvider(world, '/customers', { name: 'Ada Lovelace', email: 'ada@example.com', ...body })
  const id = String(made['id'])
  await mirror(world, 'customer', id)
  return id
}

/** An invoice at the provider and in the mirror. */
export async function makeInvoice(
  world: Places,
  customer: string,
  state: 'draft' | 'open' | 'paid' = 'open',
  terms: Record<string, string> = { collection_method: 'send_invoice', days_until_due: '30' },
): Promise<string> {
  const { id } = await atProvider(world, '/invoices', { customer, auto_advance: 'false', ...terms })
  const invoice = String(id)
  await atProvider(world, '/invoiceitems', { customer, invoice, amount: '4000', currency: 'usd', description: 'Work' })
  if (state !== 'draft') await atProvider(world, `/invoices/${invoice}/finalize`)
  if (state === 'paid') await atProvider(world, `/invoices/${invoice}/pay`, { paid_out_of_band: 'true' })
  await mirror(world, 'invoice', invoice)
  return invoice
}

type Made = { id: string; status: string; total: number; metadata: Record<string, string> } & Body

export async function invoicesOf({ sandbox }: World, customer: string): Promise<Made[]> {
  const all = (await sandbox.control.dump('invoice')) as unknown as (Made & { deleted?: boolean })[]
  return all.filter((invoice) => invoice['customer'] === customer)
}

/** How often the provider has sent the invoice. */
export async function timesSent({ sandbox }: World, invoice: string): Promise<number> {
  const events = (await sandbox.control.dump('event')) as { type?: string; data?: { object?: { id?: string } } }[]
  return events.filter(({ type, data }) => type === 'invoice.sent' && data?.object?.id === invoice).length
}

/** The names of the changing calls that the provider got, since `from`. */
export const sentSince = ({ sandbox }: World, from: number) =>
  sandbox
    .requestLog()
    .slice(from)
    .filter(({ method }) => method !== 'GET')

export const logLength = ({ sandbox }: World): number => sandbox.requestLog().length

export const actionOf = ({ console: { ctx } }: World, id: string) =>
  withRuns(ctx).where('id', '=', id).executeTakeFirstOrThrow()

export const actionsOf = ({ console: { ctx } }: World, target: string) =>
  withRuns(ctx).where('target_id', '=', target).orderBy('created_at').execute()

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

export const mirrored = ({ console: { ctx } }: World, id: string) =>
  ctx.db.selectFrom('invoices').selectAll().where('id', '=', id).executeTakeFirst()

/** The sweep, as the queue would run it in this process. */
export const resolve = ({ ctx }: Pick<Console, 'ctx'>): Promise<void> =>
  sweep(asSystem(ctx, 'job', 'runs.sweep'), [resolveRun(invoiceHandlers)], live())

export const order = (customer: string, change: Body = {}): Body => ({
  customer,
  currency: 'usd',
  lines: [
    { description: 'Design', unit_amount: 2500, quantity: 2 },
    { description: 'Hosting', unit_amount: 999 },
  ],
  days_until_due: 14,
  ...change,
})

export const newKey = (): string => randomUUID()
