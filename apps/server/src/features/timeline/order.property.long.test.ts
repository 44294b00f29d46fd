import type { TimelineEntry } from '@agency/contract/types'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { insertDeployment, insertSite } from '../../../test/deployment-rows.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { sources } from './queries/sources.ts'

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
})
afterAll(() => t.close())

// Few, so that most entries share their instant with others.
const instants = ['2026-03-01T00:00:00Z', '2026-03-01T00:00:00.000001Z', '2026-03-02T00:00:00Z']

type Made = { source: string; id: string; at: string }
type Insert = (customer: string, made: Made) => Promise<string>

const mirrored =
  (table: 'payments' | 'refunds' | 'disputes' | 'invoices' | 'checkout_sessions'): Insert =>
  async (customer_id, { id, at }) => {
    // An owner is taken from the payment.
    const part = table === 'refunds' || table === 'disputes' ? { payment_id: `pi_of_${customer_id}` } : { customer_id }
    await insertRows(t.ctx.pool, table, [{ ...part, id, created_at: at }])
    return id
  }

async function siteOf(customer: string): Promise<string> {
  const id = `site_${customer.replace(/\D/g, '').padStart(16, '0')}`
  const { rowCount } = await t.ctx.pool.query('select from sites where id = $1', [id])
  if (!rowCount) await insertSite(t.ctx.pool, { id, customer })
  return id
}

const inserts: Record<string, Insert> = {
  payment: mirrored('payments'),
  refund: mirrored('refunds'),
  dispute: mirrored('disputes'),
  purchase: mirrored('checkout_sessions'),
  'invoice.created': mirrored('invoices'),
  note: async (customer_id, { id, at }) => {
    await t.ctx.pool.query(
      `insert into customer_notes (id, customer_id, text, author_type, author_id, author_name, created_at)
       values ($1, $2, 'x', 'user', 'u', 'U', $3)`,
      [id, customer_id, at],
    )
    return id
  },
  deployment: async (customer, { id, at }) => {
    await insertDeployment(t.ctx.pool, { id, site: await siteOf(customer), at })
    return id
  },
  alert: async (customer, { id, at }) => {
    await t.ctx.pool.query(
      `insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at,
         last_seen_at, resolved_at)
       values ($1, 'site.down', 'sites', $1, 'x', 'error', 'resolved', 'x', 'x', $2, $2, $2)`,
      [id, at],
    )
    const { rows } = await t.ctx.pool.query<{ position: string }>(
      'insert into alert_sites (alert_id, site_id, customer_id, opened_at) values ($1, $2, $3, $4) returning position::text',
      [id, await siteOf(customer), customer, at],
    )
    return rows[0]?.position ?? ''
  },
  'subscription.moment': async (customer_id, { id, at }) => {
    await t.ctx.pool.query(
      `insert into customer_moments (event_id, customer_id, kind, object_id, stories, at)
       values ($1, $2, 'subscription', 'sub_x', '{paused}', $3)`,
      [id, customer_id, at],
    )
    return id
  },
  'action.customer': async (customer_id, { at }) => {
    const { rows } = await t.ctx.pool.query<{ id: string }>(
      `insert into audit_entries (at, actor_type, actor_id, actor_name, action, resource_type, resource_id)
       values ($2, 'user', 'u', 'U', 'customer.update', 'customer', $1) returning id::text`,
      [customer_id, at],
    )
    return rows[0]?.id ?? ''
  },
}

const rank = (source: string) => sources.findIndex(({ name }) => name === source)
const hasNumbers = (source: string) => sources[rank(source)]?.hasNumbers === true
const compare = (a: string | number, b: string | number) => (a < b ? 1 : a > b ? -1 : 0)

/** Newest first, then by source, then by id. */
const naively = (a: Made, b: Made): number =>
  compare(instants.indexOf(a.at), instants.indexOf(b.at)) ||
  compare(rank(a.source), rank(b.source)) ||
  (hasNumbers(a.source) ? compare(Number(a.id), Number(b.id)) : compare(a.id, b.id))

async function readAll(customer: string, limit: number, direction: 'next' | 'previous'): Promise<string[]> {
  const path = `/stripe/customers/${customer}/activity?limit=${limit}`
  const caller = request(t.ctx).as('super_admin')
  let seen: string[] = []
  let cursor: string | null = direction === 'next' ? '' : 'until=2020-01-01T00:00:00Z'
  while (cursor !== null) {
    const page: { entries: TimelineEntry[]; next: string | null; previous: string | null } = (
      await caller.get(`${path}&${cursor}`)
    ).json()
    const ids = page.entries.map(({ id }) => id)
    seen = direction === 'next' ? [...seen, ...ids] : [...ids, ...seen]
    const given: string | null = page[direction]
    cursor = given && `${direction === 'next' ? 'before' : 'after'}=${encodeURIComponent(given)}`
  }
  return seen
}

let customers = 0

const entries = fc.array(
  fc.record({ source: fc.constantFrom(...Object.keys(inserts)), at: fc.constantFrom(...instants) }),
  {
    minLength: 1,
    maxLength: 40,
  },
)

test('is what a merge of all rows gives, whatever the page size and the direction', async () => {
  await fc.assert(
    fc.asyncProperty(entries, fc.constantFrom(1, 2, 5, 13), async (wanted, limit) => {
      const customer = `cus_${++customers}`
      await insertRows(t.ctx.pool, 'customers', [{ id: customer }])
      // Nobody's, until refunds and disputes have been given to the customer.
      await insertRows(t.ctx.pool, 'payments', [
        { id: `pi_of_${customer}`, customer_id: customer, deleted_at: instants[0] },
      ])
      const made: Made[] = []
      for (const [index, one] of wanted.entries()) {
        const known = { ...one, id: `${customer}_${(index * 7919) % 40}` }
        made.push({ ...known, id: await inserts[one.source]!(customer, known) })
      }
      const expected = made.toSorted(naively).map(({ source, id }) => `${source}:${id}`)
      expect(await readAll(customer, limit, 'next')).toEqual(expected)
      expect(await readAll(customer, limit, 'previous')).toEqual(expected)
    }),
    { numRuns: 12 },
  )
})
