import { randomUUID } from 'node:crypto'
import type { Sandbox } from '@agency/sandbox'
import { inTransaction } from '../src/context.ts'
import { nextFetchSeq, writeObjects } from '../src/features/mirror/index.ts'
import type { ObjectKind } from '../src/integrations/stripe/gateway.ts'
import { type Console, openConsole, startTestSandbox } from './fixtures/mirror.ts'
import { withRuns } from './money-actions.ts'

type Body = Record<string, unknown>

/** A console beside a provider of its own. */
export type ProviderWorld = {
  sandbox: Sandbox
  console: Console
  /** A second process on the same database. */
  openProcess(): Promise<Console>
  close(): Promise<void>
}

type Places = Pick<ProviderWorld, 'sandbox' | 'console'>

export async function startProviderWorld(): Promise<ProviderWorld> {
  const { sandbox, stop } = await startTestSandbox({ size: { customers: 1 } })
  const main = await openConsole(sandbox)
  const more: Console[] = []
  return {
    sandbox,
    console: main,
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

/** Saves a card, by the provider's own token of a test card, as what a customer pays with. */
export async function saveCard(world: Places, customer: string, token = 'pm_card_visa'): Promise<string> {
  const { id } = await atProvider(world, `/payment_methods/${token}/attach`, { customer })
  await atProvider(world, `/customers/${customer}`, { 'invoice_settings[default_payment_method]': String(id) })
  return String(id)
}

/** The names of the changing calls that the provider got, since `from`. */
export const sentSince = ({ sandbox }: Places, from: number) =>
  sandbox
    .requestLog()
    .slice(from)
    .filter(({ method }) => method !== 'GET')

export const logLength = ({ sandbox }: Places): number => sandbox.requestLog().length

export const actionOf = ({ console: { ctx } }: Places, id: string) =>
  withRuns(ctx).where('id', '=', id).executeTakeFirstOrThrow()

export const actionsOf = ({ console: { ctx } }: Places, target: string) =>
  withRuns(ctx).where('target_id', '=', target).orderBy('created_at').execute()

export async function auditOf({ console: { ctx } }: Places, target: string): Promise<string[]> {
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

export const newKey = (): string => randomUUID()
