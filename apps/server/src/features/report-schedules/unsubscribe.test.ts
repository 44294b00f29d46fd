import type { ReportSchedule } from '@agency/contract/report-schedules'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { put } from '../../../test/sites.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { queueMail } from '../mail/index.ts'
import { again, linkTo as linkIn, oneClick, rawTo as rawIn, visit as visitIn } from './test/unsubscribe.ts'
import {
  create,
  history,
  makeCustomer,
  now,
  pageOf,
  passTo,
  type Somebody,
  sendNow,
  shown,
  somebody,
  startWorld,
  textOf,
  type World,
} from './test/world.ts'

let world: World
let ada: Somebody
let ben: Somebody

beforeAll(async () => {
  world = await startWorld({ PUBLIC_URL: 'https://console.example.com' })
  ada = await somebody(world.t, ['analytics.read', 'admin.users'])
  ben = await somebody(world.t, ['analytics.read'])
  await world.root.patch('/admin/settings', { changes: { 'company.name': 'Seaside Web' } })
})
beforeEach(async () => {
  // Each test has the tries of a minute of its own.
  world.t.clock.set(new Date(Date.parse(now) + 61_000 * ++count).toISOString())
  world.server.received.length = 0
  world.t.enqueued.length = 0
  await world.t.ctx.pool.query('delete from report_schedules; delete from notifications')
})
afterAll(() => world?.close())
let count = 0

const visit = (url: string, body?: string, type?: string) => visitIn(world, url, body, type)
const rawTo = (address: string | null) => rawIn(world.server, address)
const linkTo = (address: string | null) => linkIn(world.server, address)

/** A report of both, sent once. */
async function sentToBoth(): Promise<ReportSchedule> {
  const schedule = await create(ada.caller, { report: 'revenue', receiver_ids: [ada.id, ben.id] })
  await sendNow(world, ada.caller, schedule.id)
  return schedule
}

async function sentToCustomer(): Promise<{ schedule: ReportSchedule; email: string | null; customerId: string }> {
  const customerId = await makeCustomer(world.t)
  const schedule = await create(world.root, { report: 'customer', customer_id: customerId })
  await sendNow(world, world.root, schedule.id)
  return { schedule, customerId, email: schedule.receivers[0]?.email ?? null }
}

const unsubscribedOf = async (id: string) => {
  const { receivers } = (await shown(world.root, id)) ?? { receivers: [] }
  return receivers.map(({ unsubscribed_at }) => unsubscribed_at)
}

const entriesOf = async (id: string) =>
  (
    await world.t.ctx.pool.query(
      `select actor_type, actor_id, actor_name, action, after from audit_entries
       where resource_id = $1 and action like '%subscribe' order by id`,
      [id],
    )
  ).rows

/** Everything that a look could have changed. */
const stateOf = async () => {
  const { pool } = world.t.ctx
  const rows = ['report_unsubscribes', 'report_schedules', 'report_deliveries', 'report_receivers', 'mails']
  const found = await Promise.all(
    rows.map(async (name) => (await pool.query(`select * from ${name} order by 1, 2`)).rows),
  )
  const { rows: entries } = await pool.query('select count(*) as entries from audit_entries')
  return [...found, entries]
}

describe('a mail', () => {
  test('has a link of its receiver in its headers and its foot, for people and for customers', async () => {
    await sentToBoth()
    const { email } = await sentToCustomer()
    const links = [ada.email, ben.email, email].map(linkTo)
    expect(new Set(links).size).toBe(3)
    for (const [place, address] of [ada.email, ben.email, email].entries()) {
      const link = links[place] ?? ''
      expect(link).toMatch(/^\/unsubscribe\/[\w-]{60,}$/)
      expect(rawTo(address)).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
      const at = world.server.received.findLastIndex(({ to }) => to[0] === address)
      expect(textOf(world.server, at)).toContain(`\nStop these reports: https://console.example.com${link}\n`)
      expect(pageOf(world.server, at)).toMatch(
        new RegExp(`<a href="https://console\\.example\\.com${link}"[^>]*>Stop these reports</a>`),
      )
    }
  })

  test('has the link as the outbox keeps it: sealed', async () => {
    await sentToBoth()
    const { rows } = await world.t.ctx.pool.query('select * from mails')
    expect(JSON.stringify(rows)).not.toContain(linkTo(ada.email).slice('/unsubscribe/'.length))
  })

  test('at an address without https says where, and not that it may be pressed', async () => {
    const { config } = world.t.ctx
    world.t.ctx.replace({ config: { ...config, publicUrl: 'http://console.lan' } })
    try {
      await sentToBoth()
      expect(rawTo(ada.email)).toMatch(/^List-Unsubscribe: <http:\/\/console\.lan\/unsubscribe\/[\w-]+>\r$/m)
      expect(rawTo(ada.email)).not.toContain('List-Unsubscribe-Post')
      world.t.ctx.replace({ config: { ...config, publicUrl: undefined } })
      await sentToBoth()
      expect(rawTo(ada.email)).not.toMatch(/unsubscribe|Stop these/i)
    } finally {
      world.t.ctx.replace({ config })
    }
  })

  test('of another kind has none', async () => {
    await inTransaction(asSystem(world.t.ctx, 'job', 'test'), (tx) =>
      queueMail(tx, {
        kind: 'user.invitation',
        to: { address: ada.email, name: null },
        subject: 'Hello',
        text: 'Hello',
      }),
    )
    await world.t.runJobs()
    expect(rawTo(ada.email)).toContain('Subject: Hello')
    expect(rawTo(ada.email)).not.toContain('List-Unsubscribe')
  })
})

describe('a look', () => {
  test('changes nothing, needs no sign-in and no script, and says whose mails of what', async () => {
    const { schedule, email } = await sentToCustomer()
    const before = await stateOf()
    for (let looks = 0; looks < 3; looks++) {
      const page = await visit(linkTo(email))
      expect(page.statusCode).toBe(200)
      for (const part of ['Seaside Web', 'Weekly website report for Castine Chandlery', '<form method="post">'])
        expect(page.body).toContain(part)
      expect(page.body.match(/<button/g)).toHaveLength(1)
      expect(page.body).toContain('<button>Stop these reports</button>')
      expect(page.body).not.toContain('<script')
      expect(page.headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
      )
      expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    }
    expect(await stateOf()).toEqual(before)
    expect(await unsubscribedOf(schedule.id)).toEqual([null])
  })
})

describe('unsubscribing', () => {
  test.each([
    ['a mail program', oneClick, undefined],
    [
      'a mail program that sends parts',
      `--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--`,
      'multipart/form-data; boundary=x',
    ],
    ['the button', '', undefined],
  ])('by %s ends the mails of that receiver, and of nobody else', async (_how, body, type) => {
    const { id } = await sentToBoth()
    const answer = await visit(linkTo(ada.email), body, type)
    expect([answer.statusCode, answer.headers.location]).toEqual([200, undefined])
    expect(answer.body).toContain('<h1>Unsubscribed</h1>')
    expect(answer.body).toContain('<button name="does" value="again">Send them again</button>')
    expect(await unsubscribedOf(id)).toEqual([new Date(world.t.clock.now()).toISOString(), null])
    world.server.received.length = 0
    await passTo(world, '2026-11-30T08:00:00Z')
    expect(world.server.received.map(({ to }) => to[0])).toEqual([ben.email])
    const [delivery] = await history(world.root, id)
    expect(delivery).toMatchObject({
      ...{ state: 'done', reason: null },
      receivers: [
        { name: ada.name, address: null, state: 'skipped', reason: 'Unsubscribed' },
        { name: ben.name, state: 'sent', reason: null },
      ],
    })
  })

  test('is written down, in the name of whoever the mail went to', async () => {
    const { id } = await sentToBoth()
    await visit(linkTo(ada.email), oneClick)
    expect(await entriesOf(id)).toEqual([
      {
        ...{ actor_type: 'user', actor_id: ada.id, actor_name: ada.name, action: 'report_schedule.unsubscribe' },
        after: { report: 'revenue', cadence: 'weekly', receiver: ada.id },
      },
    ])
    const { schedule, email, customerId } = await sentToCustomer()
    await visit(linkTo(email), '')
    await visit(linkTo(email), again)
    const customer = { actor_type: 'anonymous', actor_id: customerId, actor_name: 'Castine Chandlery' }
    const after = { report: 'customer', cadence: 'weekly', receiver: customerId, customer_id: customerId }
    expect(await entriesOf(schedule.id)).toEqual([
      { ...customer, action: 'report_schedule.unsubscribe', after },
      { ...customer, action: 'report_schedule.resubscribe', after },
    ])
  })

  test('twice, also at once, changes and writes down the first', async () => {
    const { id } = await sentToBoth()
    const link = linkTo(ada.email)
    const answers = await Promise.all([visit(link, oneClick), visit(link, oneClick)])
    world.t.clock.advance(1000)
    answers.push(await visit(link, oneClick))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(await entriesOf(id)).toHaveLength(1)
    expect(await unsubscribedOf(id)).toEqual([new Date(world.t.clock.now() - 1000).toISOString(), null])
    const page = await visit(link)
    expect(page.body).toContain('<h1>Unsubscribed</h1>')
  })

  test('is undone by the same link, once', async () => {
    const { id } = await sentToBoth()
    const link = linkTo(ada.email)
    const early = await visit(link, again)
    expect(early.body).toContain('Stop these reports')
    expect(await entriesOf(id)).toEqual([])
    await visit(link, oneClick)
    for (let times = 0; times < 2; times++) {
      const answer = await visit(link, again)
      expect(answer.body).toContain('<h1>Subscribed again</h1>')
    }
    expect((await entriesOf(id)).map(({ action }) => action)).toEqual([
      'report_schedule.unsubscribe',
      'report_schedule.resubscribe',
    ])
    expect(await unsubscribedOf(id)).toEqual([null, null])
    world.server.received.length = 0
    await passTo(world, '2026-11-30T08:00:00Z')
    expect(world.server.received.map(({ to }) => to[0]).sort()).toEqual([ada.email, ben.email].sort())
  })

  test('stays when the schedule is changed, and whoever is named again gets nothing', async () => {
    const made = await sentToBoth()
    await visit(linkTo(ben.email), oneClick)
    const terms = { report: 'revenue', cadence: 'weekly', weekday: 2, hour: 8, time_zone: 'UTC' }
    const change = async (receiver_ids: string[], version: number) =>
      (await put(ada.caller, `/report-schedules/${made.id}`, { ...terms, receiver_ids, version })).json().schedule
    const without = await change([ada.id], made.version)
    const { receivers } = await change([ada.id, ben.id], without.version)
    expect(receivers.map(({ unsubscribed_at }: { unsubscribed_at: string }) => unsubscribed_at !== null)).toEqual([
      false,
      true,
    ])
  })

  test('takes back a mail that still waits, and stops a run that has begun', async () => {
    const { id } = await sentToBoth()
    const link = linkTo(ben.email)
    world.server.received.length = 0
    await ada.caller.post(`/report-schedules/${id}/send`)
    const [deliver] = world.t.enqueued.splice(0)
    await runJob(world.t.ctx, 'report-schedules.deliver', deliver?.input)
    const waiting = async () =>
      (await world.t.ctx.pool.query(`select to_address, state, error from mails where state <> 'sent' order by 1`)).rows
    expect((await waiting()).map(({ state }) => state)).toEqual(['queued', 'queued'])
    await visit(link, oneClick)
    await world.t.runJobs()
    expect(world.server.received.map(({ to }) => to[0])).toEqual([ada.email])
    expect(await waiting()).toEqual([{ to_address: ben.email, state: 'failed', error: 'Unsubscribed' }])
    world.t.clock.advance(1000)
    await ada.caller.post(`/report-schedules/${id}/send`)
    await visit(linkTo(ada.email), oneClick)
    world.server.received.length = 0
    await world.t.runJobs()
    expect(world.server.received).toEqual([])
    expect((await history(ada.caller, id))[0]).toMatchObject({ state: 'failed', reason: 'All receivers unsubscribed' })
  })

  test('while the next mail is being written keeps that one back', async () => {
    const { id } = await sentToBoth()
    world.server.received.length = 0
    world.t.clock.advance(1000)
    await ada.caller.post(`/report-schedules/${id}/send`)
    const [deliver] = world.t.enqueued.splice(0)
    const { pool } = world.t.ctx
    const other = await pool.connect()
    let running: Promise<void>
    try {
      await other.query('begin')
      await other.query('select from report_schedules where id = $1 for update', [id])
      running = runJob(world.t.ctx, 'report-schedules.deliver', deliver?.input)
      await expect
        .poll(async () => (await pool.query('select from pg_locks where not granted')).rowCount)
        .toBeGreaterThan(0)
      await other.query('insert into report_unsubscribes values ($1, $2, now())', [id, ada.id])
      await other.query('commit')
    } finally {
      await other.query('rollback')
      other.release()
    }
    await running
    world.t.clock.advance(10_000)
    await world.t.runJobs()
    expect(world.server.received.map(({ to }) => to[0])).toEqual([ben.email])
    expect((await history(world.root, id))[0]).toMatchObject({
      receivers: [{ state: 'skipped', reason: 'Unsubscribed' }, { state: 'sent' }],
    })
  })
})

describe('when nobody is left', () => {
  test('the delivery says why nothing was sent, and nobody is alarmed', async () => {
    const { schedule, email } = await sentToCustomer()
    await visit(linkTo(email), oneClick)
    world.server.received.length = 0
    await passTo(world, '2026-11-30T08:00:00Z')
    await world.t.runJobs()
    expect(world.server.received).toEqual([])
    const [delivery] = await history(world.root, schedule.id)
    expect(delivery).toMatchObject({
      ...{ cause: 'schedule', state: 'failed', reason: 'The customer unsubscribed' },
      receivers: [{ state: 'skipped', reason: 'Unsubscribed' }],
    })
    const { rows } = await world.t.ctx.pool.query(
      `select outcome, after ->> 'reason' as reason from audit_entries
       where resource_id = $1 and action = 'report_schedule.send' order by id desc limit 1`,
      [schedule.id],
    )
    expect(rows).toEqual([{ outcome: 'failed', reason: 'The customer unsubscribed' }])
    expect((await world.root.get('/notifications')).json().notifications).toEqual([])
    const next = (await shown(world.root, schedule.id))?.next_at
    expect(next).toBe('2026-12-07T08:00:00.000Z')
  })

  test('it cannot be sent now, with the reason', async () => {
    const { id } = await sentToBoth()
    for (const { email } of [ada, ben]) await visit(linkTo(email), oneClick)
    const answer = await ada.caller.post(`/report-schedules/${id}/send`)
    expect([answer.statusCode, answer.json().detail]).toEqual([409, 'All receivers unsubscribed. Nothing was sent.'])
  })
})

describe('a link', () => {
  test('that was altered, is none or is to a deleted schedule is answered with the same page', async () => {
    const { schedule, email } = await sentToCustomer()
    const link = linkTo(email)
    const token = link.slice('/unsubscribe/'.length)
    const [signature, named] = [token.slice(0, 43), token.slice(43)]
    const other = Buffer.from(JSON.stringify([schedule.id, ada.id])).toString('base64url')
    const end = signature.endsWith('A') ? 'Q' : 'A'
    const strangers = [
      ...['preview', 'nothing', signature, `${signature}${other}`, `${signature.slice(0, -1)}${end}${named}`],
      ...[`${token}A`, `${token}=`, `${token}%0A`, token.slice(0, -1), token.toUpperCase()],
    ].map((one) => `/unsubscribe/${one}`)
    const before = await stateOf()
    const pages = await Promise.all(strangers.map((one) => visit(one)))
    pages.push(...(await Promise.all(strangers.map((one) => visit(one, oneClick)))))
    expect(await stateOf()).toEqual(before)
    await world.root.delete(`/report-schedules/${schedule.id}`)
    pages.push(await visit(link), await visit(link, oneClick), await visit(link, again))
    expect(new Set(pages.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect([pages[0]?.statusCode, pages[0]?.body.includes('<form')]).toEqual([404, false])
    expect(pages[0]?.body).toContain('Unknown link')
    expect(pages[0]?.headers['cache-control']).toBe('no-store')
  })

  test('may be tried so often only, with so much only', async () => {
    const long = await visit('/unsubscribe/nothing', 'x'.repeat(1025))
    expect(long.statusCode).toBe(413)
    for (let tries = 0; tries < 30; tries++) await visit('/unsubscribe/nothing')
    const late = await visit('/unsubscribe/nothing', oneClick)
    expect([late.statusCode, late.headers['retry-after']]).toEqual([429, '60'])
  })

  test('shows the words of strangers as words', async () => {
    const customer_id = await makeCustomer(world.t, { name: '<img src=x onerror=alert(1)>' })
    const { id, receivers } = await create(world.root, { report: 'customer', customer_id })
    await sendNow(world, world.root, id)
    const { body } = await visit(linkTo(receivers[0]?.email ?? null))
    expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(body).not.toContain('<img')
  })

  test('of somebody whose account is gone still ends their mails', async () => {
    const eve = await somebody(world.t, ['analytics.read'])
    const { id } = await create(ada.caller, { report: 'revenue', receiver_ids: [ada.id, eve.id] })
    await sendNow(world, ada.caller, id)
    await world.t.ctx.pool.query('delete from users where id = $1', [eve.id])
    expect((await visit(linkTo(eve.email), oneClick)).statusCode).toBe(200)
    expect((await entriesOf(id))[0]).toMatchObject({ actor_type: 'anonymous', actor_name: 'Removed account' })
  })
})
