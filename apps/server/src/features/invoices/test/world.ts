import { type Permission, permissions } from '@agency/contract/permissions'
import type { LightMyRequestResponse } from 'fastify'
import { type Console, live } from '../../../../test/fixtures/mirror.ts'
import { atProvider, mirror, type ProviderWorld, startProviderWorld } from '../../../../test/provider-world.ts'
import { buildApp } from '../../../app.ts'
import { type AppContext, asSystem } from '../../../context.ts'
import { sweep } from '../../../platform/runs/jobs.ts'
import { resolveRun } from '../../billing/index.ts'
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
    pay: (id: string, body: unknown, key?: string) => call('POST', `/invoices/${id}/pay`, body, key),
    markPaid: (id: string, body: unknown, key?: string) => call('POST', `/invoices/${id}/mark-paid`, body, key),
  }
}

export type World = ProviderWorld & { ada: ReturnType<typeof person> }

type Places = Pick<World, 'sandbox' | 'console'>

export async function startWorld(): Promise<World> {
  const world = await startProviderWorld()
  return { ...world, ada: person(world.console, 'Ada') }
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
