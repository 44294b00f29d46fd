import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { partsOf } from '../../../test/mail-parts.ts'
import { addLooks, every } from '../../../test/monitoring-rows.ts'
import { insertRows } from '../../../test/rows.ts'
import { makeSite } from '../../../test/sites.ts'
import {
  create,
  makeCustomer,
  monthly,
  now,
  pageOf,
  sendNow,
  somebody,
  startWorld,
  textOf,
  type World,
} from './test/world.ts'

const minute = 60_000
const hour = 60 * minute
/** The first day of the week before. */
const sunday = Date.parse('2026-11-15T00:00:00Z')
let world: World

beforeAll(async () => {
  world = await startWorld({ PUBLIC_URL: 'https://console.example.com' })
  const { pool } = world.t.ctx
  await pool.query(`insert into mirror_imports (id, state, reason, started_at) values ('imp_1', 'done', 'test', $1)`, [
    new Date(now),
  ])
  await insertRows(pool, 'customers', [{ id: 'cus_1', name: 'Harbour "Bakery" <b>', email: 'owner@example.com' }])
  await insertRows(pool, 'payments', [
    { id: 'pi_1', customer_id: 'cus_1', amount: 123_450, amount_captured: 123_450, created_at: '2026-11-16T10:00:00Z' },
    { id: 'pi_2', customer_id: 'cus_1', amount: 100_000, amount_captured: 100_000, created_at: '2026-11-10T10:00:00Z' },
    {
      id: 'pi_3',
      customer_id: 'cus_1',
      amount: 900,
      amount_captured: 900,
      currency: 'jpy',
      created_at: '2026-11-21T23:30:00Z',
    },
  ])
})
beforeEach(() => {
  world.t.clock.set(now)
  world.server.received.length = 0
})
afterAll(() => world?.close())

const week = 'range=custom&from=2026-11-15&to=2026-11-21&compare=previous'

describe('the report of a tab', () => {
  test('has the figures of its screen for the week before, and nothing of today', async () => {
    const ada = await somebody(world.t, ['analytics.read'])
    const { id } = await create(ada.caller, { report: 'revenue', receiver_ids: [ada.id] })
    await sendNow(world, ada.caller, id)
    const screen = (await ada.caller.get(`/reports/revenue?${week}&time_zone=UTC`)).json()
    expect(screen.headline.total_revenue).toMatchObject({ current: 123_450, compared: 100_000, percent: 23.5 })
    const text = textOf(world.server)
    for (const line of [
      'November 15 – 21, 2026 · days in UTC',
      'Total revenue: $1,234.50 (+23.5%, $1,000.00 in the previous period)',
      'Revenue in JPY: ¥900',
      'Average response time: Unknown (No site answered the monitor in this range)',
      'Open the report: https://console.example.com/admin/reports/revenue?range=custom&from=2026-11-15&to=2026-11-21',
      `Sent every week, set up by ${ada.name}`,
    ])
      expect(text).toContain(line)
    const page = pageOf(world.server)
    for (const part of ['$1,234.50', '+23.5%, $1,000.00 in the previous period', '>Unknown<'])
      expect(page).toContain(part)
    for (const none of ['<script', 'src=', 'http-equiv', 'url(']) expect(page).not.toContain(none)
  })

  test('begins and ends its days where the schedule is', async () => {
    const ada = await somebody(world.t, ['analytics.read'])
    const send = async (time_zone: string) => {
      const { id } = await create(ada.caller, { report: 'revenue', receiver_ids: [ada.id], time_zone })
      await sendNow(world, ada.caller, id)
      return textOf(world.server)
    }
    // Half past eleven in the evening of Saturday in London is Sunday in Auckland.
    expect(await send('Europe/London')).toContain('Revenue in JPY: ¥900')
    const auckland = await send('Pacific/Auckland')
    expect(auckland).not.toContain('¥900')
    expect(auckland).toContain('November 15 – 21, 2026 · days in Pacific/Auckland')
  })

  test('shows each receiver what they may see themselves, with the file where they may have it', async () => {
    const [sees, without] = [
      await somebody(world.t, ['analytics.read', 'billing.read', 'admin.users']),
      await somebody(world.t, ['analytics.read']),
    ]
    const terms = { report: 'usage', receiver_ids: [sees.id, without.id], format: 'csv' }
    const { id } = await create(sees.caller, terms)
    const delivery = await sendNow(world, sees.caller, id)
    expect(delivery).toMatchObject({ state: 'done', file_problem: null })
    const [first, second] = [sees.email, without.email].map(
      (email) => world.server.received.find(({ to }) => to[0] === email)?.raw ?? '',
    )
    const filesOf = (raw = '') => partsOf(raw).filter(({ fileName }) => fileName !== null)
    const [file] = filesOf(first)
    expect(file?.fileName).toBe('usage-2026-11-15-2026-11-21.csv')
    expect(file?.bytes.toString('utf8')).toContain('Site,Domain,Customer')
    expect(filesOf(second)).toEqual([])
    const place = world.server.received.findIndex(({ to }) => to[0] === without.email)
    expect(textOf(world.server, place)).toContain('No file is attached: it needs the permission billing.read.')
    expect(textOf(world.server, place)).toContain('This needs the permission billing.read')
    const { rows } = await world.t.ctx.pool.query('select state, maker_name from exports')
    expect(rows).toEqual([{ state: 'ready', maker_name: sees.name }])
  })

  test.each(['customers', 'performance'] as const)(
    '%s is written too, unknown where nothing is known',
    async (report) => {
      const ada = await somebody(world.t, ['analytics.read'])
      const { id } = await create(ada.caller, { ...monthly, weekday: null, report, receiver_ids: [ada.id] })
      await sendNow(world, ada.caller, id)
      expect(textOf(world.server)).toContain('October 2026')
      expect(textOf(world.server)).toContain('Unknown')
    },
  )
})

describe('the report of a customer', () => {
  /** One site, looked at for a day: half an hour down. The last look is good for two and a half minutes. */
  async function withSite(name: string) {
    const { t, root } = world
    const customer_id = await makeCustomer(t, { name })
    const site = await makeSite(root)
    await t.ctx.pool.query('update sites set customer_id = $2, created_at = $3 where id = $1', [
      ...[site.id, customer_id, new Date('2026-10-01T00:00:00Z')],
    ])
    const looks = every(minute, sunday, sunday + 24 * hour).map((look) => ({
      ...{ ...look, ms: 200 },
      health: look.at >= sunday + 10 * hour && look.at < sunday + 10.5 * hour ? 'down' : 'healthy',
    }))
    await addLooks(t, site.id, looks)
    await t.ctx.pool.query('delete from site_probe_progress')
    await runJob(t.ctx, 'probes.roll_up')
    await insertRows(t.ctx.pool, 'invoices', [
      { id: `in_${site.id}`, number: `INV-${name}`, customer_id, amount_due: 4900, created_at: '2026-11-17T09:00:00Z' },
      { id: `in2_${site.id}`, number: 'DRAFT', customer_id, status: 'draft', created_at: '2026-11-17T09:00:00Z' },
      { id: `in3_${site.id}`, number: 'LATER', customer_id, created_at: '2026-11-22T00:00:00Z' },
    ])
    return { customer_id, site }
  }

  test('has their own figures alone, in the name and the color of the agency', async () => {
    const { root, t, server } = world
    await root.patch('/admin/settings', { changes: { 'company.name': 'Seaside Web', 'company.color': '#FFEB3B' } })
    const [own, other] = [await withSite('Harbour "Bakery" <b>'), await withSite('Orchard Farm')]
    const { id } = await create(root, { report: 'customer', customer_id: own.customer_id })
    await sendNow(world, root, id)
    expect(server.received).toHaveLength(1)
    const text = textOf(server)
    for (const line of [
      'Hello Harbour "Bakery" <b>,',
      'Your website: 97.918% uptime, no outages.',
      `- ${own.site.domain}. Uptime: 97.918%, Down: 30 min, Response time: 200 ms, Visits: Unknown`,
      'unknown time 5 d 23 h',
      '- INV-Harbour "Bakery" <b>. Date: 11/17/2026, Amount: $49.00, State: Paid',
      'Seaside Web sends you this report every week.',
    ])
      expect(text).toContain(line)
    const page = pageOf(server)
    for (const hidden of [other.site.domain, 'Orchard', 'DRAFT', 'LATER', 'Admin key', 'console.example.com/admin'])
      expect(`${text}${page}`).not.toContain(hidden)
    expect(page).toContain('Hello Harbour &quot;Bakery&quot; &lt;b&gt;,')
    expect(page).not.toContain('<b>')
    expect(page).toContain('background:#ffeb3b;color:#000000')
    // The same share as the uptime report of these days has.
    const { report } = (await root.get(`/stripe/customers/${own.customer_id}/uptime-report?month=2026-11`)).json()
    expect(report.down_seconds).toBe(1800)
    expect(t.ctx.config.settings.companyColor).toBe('#ffeb3b')
    await root.patch('/admin/settings', { changes: { 'company.name': null, 'company.color': null } })
  })

  test('brings their websites as a file, with the same figures', async () => {
    const { customer_id, site } = await withSite('Tern Island')
    const { id } = await create(world.root, { report: 'customer', customer_id, format: 'csv' })
    await sendNow(world, world.root, id)
    const file = partsOf(world.server.received[0]?.raw ?? '').find(({ fileName }) => fileName !== null)
    expect(file?.fileName).toBe('website-report-2026-11-15-2026-11-21.csv')
    const [head, row] = (file?.bytes.toString('utf8') ?? '').split('\r\n')
    expect(head).toContain('Website,Uptime (%),Down (min)')
    expect(row).toMatch(new RegExp(`^${site.domain},97\\.91\\d+,30,0,`))
  })

  test('has no invoices when whoever has it sent may not see them', async () => {
    const { customer_id } = await withSite('Cove')
    const support = await somebody(world.t, ['customers.read', 'support.write'])
    const { id } = await create(support.caller, { report: 'customer', customer_id })
    await sendNow(world, support.caller, id)
    expect(textOf(world.server)).toContain('Websites')
    expect(textOf(world.server)).not.toContain('Invoices')
  })

  test('is previewed as it would be sent, and nothing is', async () => {
    const { customer_id, site } = await withSite('Quarry')
    const order = { report: 'customer', customer_id, cadence: 'weekly', time_zone: 'UTC' }
    const preview = (await world.root.post('/report-schedules/preview', order)).json()
    const { id } = await create(world.root, { report: 'customer', customer_id })
    expect(world.server.received).toEqual([])
    await sendNow(world, world.root, id)
    expect(preview).toMatchObject({
      ...{ to: world.server.received[0]?.to[0], first_day: '2026-11-15', last_day: '2026-11-21' },
      ...{ subject: 'Agency Console: website report, November 15 – 21, 2026' },
    })
    // The link that stops it is of a mail that is sent.
    const sent = textOf(world.server).replace(/(\/unsubscribe\/)\S+/, '$1preview')
    expect(preview.text.trimEnd()).toBe(sent.trimEnd())
    expect(sent).toContain('/unsubscribe/preview')
    expect(preview.html).toContain(site.domain)
  })
})
