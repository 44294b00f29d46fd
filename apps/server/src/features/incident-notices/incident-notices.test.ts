import { randomUUID } from 'node:crypto'
import type { IncidentNotice } from '@agency/contract/incident-notices'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { type MailServer, startMailServer } from '../../../test/mail-server.ts'
import { secretsEnv } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { makeSite, put } from '../../../test/sites.ts'
import { draftOf, wordsFor } from './words.ts'

let server: MailServer
let t: TestContext
let without: TestContext
let root: Caller

const now = '2026-11-21T12:00:00Z'

beforeAll(async () => {
  server = await startMailServer({ refused: ['gone@example.com'] })
  const env = { ...secretsEnv, SMTP_URL: server.url, MAIL_FROM: 'Agency <console@example.com>' }
  t = await createTestContext({ env, now })
  without = await createTestContext({ env: secretsEnv, now })
  root = request(t.ctx).as('super_admin')
})
beforeEach(() => {
  server.received.length = 0
})
afterAll(async () => {
  await t?.close()
  await without?.close()
  await server?.stop()
})

type Customer = { name?: string | null; email?: string | null; sites: number; [column: string]: unknown }

/** An incident that affects the sites of these customers; answers the ids of both. */
async function incidentOf(of: TestContext, customers: readonly Customer[], incident: Record<string, unknown> = {}) {
  const admin = request(of.ctx).as('super_admin')
  const id: string = (await admin.post('/incidents', { title: 'Orchard Farm is down', severity: 'sev2' })).json()
    .incident.id
  for (const [column, value] of Object.entries(incident))
    await of.ctx.pool.query(`update incidents set ${column} = $2 where id = $1`, [id, value])
  const alert = `alert_${randomUUID()}`
  await of.ctx.pool.query(
    `insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at,
       last_seen_at, incident_id)
     values ($1, 'sites.common_cause', 'sites', $1, 'Sites', 'error', 'open', 'Sites are down', '', $3, $3, $2)`,
    [alert, id, new Date(now)],
  )
  const ids: string[] = []
  const domains: string[][] = []
  for (const { sites, ...columns } of customers) {
    const customer = `cus_${randomUUID()}`
    await insertRows(of.ctx.pool, 'customers', [{ id: customer, name: 'Ada', email: 'ada@example.com', ...columns }])
    ids.push(customer)
    const own: string[] = []
    for (let index = 0; index < sites; index++) {
      const site = await makeSite(admin)
      own.push(site.domain)
      await of.ctx.pool.query('update sites set customer_id = $2 where id = $1', [site.id, customer])
      await of.ctx.pool.query(
        'insert into alert_sites (alert_id, site_id, opened_at) select id, $2, opened_at from alerts where id = $1',
        [alert, site.id],
      )
    }
    domains.push(own)
  }
  return { id, customers: ids, domains }
}

const words = { subject: 'Problem with {sites}', text: 'Hello {customer},\n\n{sites} had a problem.' }
const send = (id: string, body: object = words, headers: Record<string, string> = {}) =>
  root.post(`/incidents/${id}/notices`, body, headers)
const noticesOf = async (id: string) => (await root.get(`/incidents/${id}/notices`)).json()
const statesOf = ({ receivers }: IncidentNotice) => receivers.map(({ state }) => state)

describe('who is affected', () => {
  test('each customer once with their own sites alone, and why somebody gets nothing', async () => {
    const { id, customers, domains } = await incidentOf(t, [
      { name: 'Anna', sites: 2 },
      { name: 'Bert', email: null, sites: 1 },
      { name: 'Carla', sites: 1, hidden_at: now },
      { name: 'Dora', sites: 1 },
    ])
    await put(root, `/stripe/customers/${customers[3]}/mail-choices`, { version: 0, takes_notices: false })
    const { receivers } = await noticesOf(id)
    expect(receivers.map(({ name, standing }: { name: string; standing: string }) => [name, standing])).toEqual([
      ['Anna', 'ready'],
      ['Bert', 'no_address'],
      ['Carla', 'deleted'],
      ['Dora', 'opted_out'],
    ])
    expect(receivers[0].sites).toEqual([...domains[0]!].sort())
  })

  test('a preview and the draft name nobody else: not even by the title of the incident', async () => {
    const { id, customers, domains } = await incidentOf(t, [
      { name: 'Anna', sites: 1 },
      { name: 'Bert', sites: 1 },
    ])
    const { draft } = await noticesOf(id)
    const body = { ...draft, customer_id: customers[0] }
    const preview = (await root.post(`/incidents/${id}/notices/preview`, body)).json()
    expect(preview.to).toBe('ada@example.com')
    const whole = `${preview.subject}\n${preview.text}`
    expect(whole).toContain(domains[0]![0])
    expect(whole).toContain('Hello Anna,')
    for (const foreign of [domains[1]![0]!, 'Bert', 'Orchard Farm', '{']) expect(whole).not.toContain(foreign)
    const other = await root.post(`/incidents/${id}/notices/preview`, { ...body, customer_id: 'cus_other' })
    expect(other.statusCode).toBe(400)
  })
})

describe('sending', () => {
  test('one press writes to everybody that can be written to, and is in the timeline and the audit log', async () => {
    const { id, customers, domains } = await incidentOf(t, [
      { name: 'Anna', email: 'anna@example.com', sites: 2 },
      { name: 'Bert', email: 'gone@example.com', sites: 1 },
      { name: 'Carla', email: null, sites: 1 },
    ])
    const { notice } = (await send(id)).json()
    expect(statesOf(notice)).toEqual(['queued', 'queued'])
    await t.runJobs()
    expect(server.received.map(({ to }) => to)).toEqual([['anna@example.com']])
    const [first, second] = [...domains[0]!].sort()
    expect(server.received[0]?.raw).toContain(`${first} and ${second} had a problem.`)
    const [after] = (await noticesOf(id)).notices
    expect(after.receivers).toMatchObject([
      { customer_id: customers[0], state: 'sent', address: 'anna@example.com', sent_at: '2026-11-21T12:00:00Z' },
      { customer_id: customers[1], state: 'failed', error: expect.stringContaining('550') },
    ])
    const { incident } = (await root.get(`/incidents/${id}`)).json()
    expect(incident.events.at(-1)).toMatchObject({
      ...{ kind: 'customers_notified', actor: 'Test super_admin', text: 'Emailed 2 customers: Problem with {sites}' },
    })
    const { rows } = await t.ctx.pool.query(
      `select after from audit_entries where action = 'incident.notify_customers' and resource_id = $1`,
      [id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].after.customers).toHaveLength(2)
  })

  test('nobody gets the same twice: not by the same key, not by another, not at the same moment', async () => {
    const { id } = await incidentOf(t, [{ sites: 1 }, { sites: 1 }])
    const headers = { 'idempotency-key': randomUUID() }
    const first = (await send(id, words, headers)).json()
    expect((await send(id, words, headers)).json().notice.id).toBe(first.notice.id)
    const again = await send(id)
    expect([again.statusCode, again.json().detail]).toEqual([
      409,
      'Every affected customer already got this notice. Nothing was sent.',
    ])
    const update = { subject: 'Update', text: 'Still working on it' }
    const both = await Promise.all([send(id, update), send(id, update)])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    await t.runJobs()
    expect(server.received).toHaveLength(4)
    const { incident } = (await root.get(`/incidents/${id}`)).json()
    expect(incident.events.filter(({ kind }: { kind: string }) => kind === 'customers_notified')).toHaveLength(2)
  })

  test('what failed is sent again to that customer alone', async () => {
    const { id, customers } = await incidentOf(t, [{ email: 'gone@example.com', sites: 1 }, { sites: 1 }])
    const { notice } = (await send(id)).json()
    await t.runJobs()
    await t.ctx.pool.query(`update mails set to_address = 'back@example.com' where to_address = 'gone@example.com'`)
    const path = `/incidents/${id}/notices/${notice.id}/retry`
    expect((await root.post(path, { customer_id: customers[1] })).statusCode).toBe(409)
    expect((await root.post(path, { customer_id: customers[0] })).statusCode).toBe(200)
    await t.runJobs()
    expect(server.received.map(({ to }) => to[0])).toEqual(['ada@example.com', 'back@example.com'])
    expect(statesOf((await noticesOf(id)).notices[0])).toEqual(['sent', 'sent'])
  })

  test('a word that nothing stands for, a subject of two lines and a merged incident are refused', async () => {
    const { id } = await incidentOf(t, [{ sites: 1 }])
    expect((await send(id, { ...words, text: 'Hello {name}' })).json().detail).toBe(
      'Unknown placeholder {name}: use {customer} or {sites}',
    )
    expect((await send(id, { ...words, subject: 'Hello\nBcc: eve@example.com' })).statusCode).toBe(400)
    const other = await incidentOf(t, [])
    await root.post(`/incidents/${id}/merge`, { into: other.id })
    expect((await send(id)).statusCode).toBe(409)
    expect((await send(other.id, words)).statusCode).toBe(200)
  })

  test('without a mail server nothing is written', async () => {
    const { id } = await incidentOf(without, [{ sites: 1 }])
    const answer = await request(without.ctx).as('super_admin').post(`/incidents/${id}/notices`, words)
    expect([answer.statusCode, answer.json().detail]).toEqual([
      409,
      'Set "Mail server" under System Config first. Nothing was sent.',
    ])
    const { rows } = await without.ctx.pool.query('select from mails')
    expect(rows).toEqual([])
    const { has_mail_server } = (await request(without.ctx).as('super_admin').get(`/incidents/${id}/notices`)).json()
    expect(has_mail_server).toBe(false)
  })

  test('whoever may not write to customers sends nothing', async () => {
    const { id } = await incidentOf(t, [{ sites: 1 }])
    const answer = await request(t.ctx).as('admin').post(`/incidents/${id}/notices`, words)
    expect(answer.statusCode).toBe(403)
  })
})

describe('the words', () => {
  test('a name that looks like a placeholder is not filled in again', () => {
    const filled = wordsFor(words, { name: '{sites}', sites: ['a.example'] })
    expect(filled.text).toBe('Hello {sites},\n\na.example had a problem.')
  })

  test('without a name the greeting stands alone', () => {
    expect(wordsFor(words, { name: null, sites: ['a.example', 'b.example', 'c.example'] }).text).toBe(
      'Hello,\n\na.example, b.example and c.example had a problem.',
    )
  })

  test('the draft of what is over says when it started and how long it lasted', () => {
    const over = { opened_at: new Date('2026-11-21T10:00:00Z'), resolved_at: new Date('2026-11-21T11:42:00Z') }
    const { subject, text } = draftOf(over, 'Agency')
    expect(subject).toBe('Resolved: problem with {sites}')
    expect(text).toContain('It started on November 21, 2026 at 10:00 AM UTC and lasted 1 h 42 min.')
  })
})

test('the emails of a customer are chosen by the newest version', async () => {
  const { customers } = await incidentOf(t, [{ sites: 0 }])
  const path = `/stripe/customers/${customers[0]}/mail-choices`
  expect((await root.get(path)).json().choices).toEqual({
    ...{ takes_notices: true, gets_uptime_report: false, version: 0 },
  })
  expect((await put(root, path, { version: 0, gets_uptime_report: true })).json().choices).toEqual({
    ...{ takes_notices: true, gets_uptime_report: true, version: 1 },
  })
  expect((await put(root, path, { version: 0, takes_notices: false })).statusCode).toBe(409)
  expect((await root.get('/stripe/customers/cus_nobody/mail-choices')).statusCode).toBe(404)
})
