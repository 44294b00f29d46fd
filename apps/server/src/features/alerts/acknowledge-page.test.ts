import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { type MailServer, startMailServer } from '../../../test/mail-server.ts'
import { addPerson, secretsEnv } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { makeSite } from '../../../test/sites.ts'

let t: TestContext
let root: Caller
let server: MailServer

beforeEach(async () => {
  server = await startMailServer()
  t = await createTestContext({
    env: {
      ...secretsEnv,
      ...{ PUBLIC_URL: 'https://console.example.com', SMTP_URL: server.url, MAIL_FROM: 'console@example.com' },
    },
    now: '2026-11-21T12:00:00Z',
  })
  root = request(t.ctx).as('super_admin')
})
afterEach(async () => {
  await t.close()
  await server.stop()
})

const sql = (text: string, values: unknown[] = []) => t.ctx.pool.query(text, values)

/** A site that is down, mailed to the addresses; answers the alert and the link of each mail, as they arrived. */
async function mailed(target: string, siteName = 'Harbor'): Promise<{ id: string; links: string[] }> {
  await root.post('/channels', { kind: 'mail', name: 'Team', target })
  await makeSite(root, { site_name: siteName })
  await sql(`update sites set health_status = 'down', health_detail = 'Answered with status 500'`)
  await runJob(t.ctx, 'alerts.evaluate')
  t.clock.advance(60_000)
  await runJob(t.ctx, 'alerts.evaluate')
  for (const { name, input } of t.enqueued.splice(0)) if (name === 'channels.deliver') await runJob(t.ctx, name, input)
  const links = server.received.map(({ raw }) => {
    const text = raw.replaceAll('=\r\n', '')
    return /https:\/\/console\.example\.com(\/acknowledge\/[\w-]+)/.exec(text)?.[1] ?? ''
  })
  const { id } = (await root.get('/alerts')).json().alerts[0]
  return { id, links }
}

/** As a browser without a session. */
const visit = (url: string, method: 'GET' | 'POST' | 'HEAD' = 'GET') =>
  root.inject({
    ...{ url, method, headers: { 'content-type': 'application/x-www-form-urlencoded', host: 'localhost' } },
    ...(method === 'POST' && { payload: '' }),
  })
const statusOf = async (id: string) => (await root.get(`/alerts/${id}`)).json().alert.status

test('a mail carries a link of its own for each address, of which only the hash is kept', async () => {
  const { links } = await mailed('ada@example.com, bob@example.com')
  expect(new Set(links).size).toBe(2)
  for (const link of links) expect(link).toMatch(/^\/acknowledge\/[\w-]{43}$/)
  const { rows } = await sql('select token_hash, address from acknowledge_links')
  expect(rows.map(({ address }) => address).sort()).toEqual(['ada@example.com', 'bob@example.com'])
  const kept = JSON.stringify((await sql('select * from channel_deliveries')).rows)
  for (const link of links) expect(kept).not.toContain(link.split('/').at(-1))
})

test('looking changes nothing; pressing acknowledges, once, in the name of whoever the mail went to', async () => {
  await addPerson(t, { email: 'ada@example.com', name: 'Ada Lovelace' })
  const { id, links } = await mailed('ada@example.com')
  const [link = ''] = links
  for (let count = 0; count < 3; count++) {
    const page = await visit(link)
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    for (const part of ['Harbor is down', 'Answered with status 500', 'Error', '<form method="post">'])
      expect(page.body).toContain(part)
    expect(page.body).not.toContain('<script')
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    )
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  }
  expect((await visit(link, 'HEAD')).statusCode).not.toBe(200)
  expect(await statusOf(id)).toBe('open')

  const done = await visit(link, 'POST')
  expect(done.statusCode).toBe(200)
  expect(done.body).toContain('<h1>Acknowledged</h1>')
  const { alert } = (await root.get(`/alerts/${id}`)).json()
  expect(alert).toMatchObject({ status: 'acknowledged', acknowledged_by: 'Ada Lovelace' })
  expect(alert.events.at(-1)).toMatchObject({
    ...{ kind: 'acknowledged', actor: 'Ada Lovelace', text: 'Acknowledged by mail link sent to ada@example.com' },
  })
  const { rows } = await sql(
    `select actor_type, actor_name, after from audit_entries where action = 'alert.acknowledge'`,
  )
  expect(rows).toMatchObject([
    {
      ...{ actor_type: 'user', actor_name: 'Ada Lovelace' },
      after: { via: 'by mail link sent to ada@example.com' },
    },
  ])
  for (const method of ['GET', 'POST'] as const) {
    const again = await visit(link, method)
    expect([again.statusCode, again.body.includes('<form')]).toEqual([410, false])
    expect(again.body).toContain('This alert is already acknowledged.')
  }
})

test('an address without an account acts under itself', async () => {
  const { links } = await mailed('ops@example.com')
  await visit(links[0]!, 'POST')
  const { rows } = await sql(`select actor_type, actor_name from audit_entries where action = 'alert.acknowledge'`)
  expect(rows).toEqual([{ actor_type: 'anonymous', actor_name: 'ops@example.com' }])
})

describe('a link', () => {
  test('of an account that was switched off does nothing', async () => {
    const { id } = await addPerson(t, { email: 'ada@example.com', name: 'Ada' })
    const { id: alert, links } = await mailed('ada@example.com')
    await sql('update users set is_active = false where id = $1', [id])
    const answer = await visit(links[0]!, 'POST')
    expect(answer.statusCode).toBe(403)
    expect(answer.body).toContain('This account is no longer active')
    expect(await statusOf(alert)).toBe('open')
  })

  test('expires, and says so', async () => {
    const { id, links } = await mailed('ada@example.com')
    t.clock.advance(24 * 3_600_000)
    for (const method of ['GET', 'POST'] as const) {
      const answer = await visit(links[0]!, method)
      expect(answer.statusCode).toBe(410)
      expect(answer.body).toContain('This link has expired')
    }
    expect(await statusOf(id)).toBe('open')
  })

  test('that was used says so when the alert came back', async () => {
    const { id, links } = await mailed('ada@example.com')
    await visit(links[0]!, 'POST')
    await sql(`update alerts set status = 'open', acknowledged_at = null where id = $1`, [id])
    const answer = await visit(links[0]!, 'POST')
    expect([answer.statusCode, answer.body.includes('This link was already used')]).toEqual([410, true])
    expect(await statusOf(id)).toBe('open')
  })

  test('to an alert that is over says so', async () => {
    const { id, links } = await mailed('ada@example.com')
    await root.post(`/alerts/${id}/resolve`, {})
    const answer = await visit(links[0]!, 'POST')
    expect([answer.statusCode, answer.body.includes('already resolved')]).toEqual([410, true])
  })

  test('that was pressed twice at once acts once', async () => {
    const { links } = await mailed('ada@example.com')
    const answers = await Promise.all([visit(links[0]!, 'POST'), visit(links[0]!, 'POST')])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410])
    expect((await sql(`select id from audit_entries where action = 'alert.acknowledge'`)).rows).toHaveLength(1)
  })

  test('that is none is not found, and may be tried so often only', async () => {
    const first = await visit('/acknowledge/nothing')
    expect([first.statusCode, first.body.includes('Unknown link')]).toEqual([404, true])
    for (let count = 0; count < 29; count++) await visit('/acknowledge/nothing')
    const late = await visit('/acknowledge/nothing')
    expect([late.statusCode, late.headers['retry-after']]).toEqual([429, '60'])
  })

  test('shows the words of strangers as words', async () => {
    const { links } = await mailed('ada@example.com', '<img src=x onerror=alert(1)>')
    const { body } = await visit(links[0]!)
    expect(body).toContain('&lt;img src=x onerror=alert(1)&gt; is down')
    expect(body).not.toContain('<img')
  })
})
