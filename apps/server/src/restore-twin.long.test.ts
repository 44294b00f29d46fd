import { afterAll, beforeAll, expect, test } from 'vitest'
import { runJob } from '../test/context.ts'
import {
  type Console,
  dumpDifferences,
  dumpMirror,
  dumpTotals,
  gatewayOf,
  importAll,
  live,
  startTestSandbox,
} from '../test/fixtures/mirror.ts'
import type { Caller } from '../test/request.ts'
import { asSystem } from './context.ts'
import { backupAs, backupsEnv, newestRestore, restoreAs, rootOf } from './features/backups/test/world.ts'
import { makePayment, makeSubscription, type World } from './features/billing/money-actions/test/world.ts'
import {
  addSite,
  deploy,
  ended,
  hostedSites,
  openConsole as openHosting,
  pace,
  sentAbout,
  startRunner,
} from './features/deployments/test/world.ts'
import { catchUp, verifyTotals } from './features/mirror/index.ts'

let sandbox: World['sandbox']
let stop: () => Promise<void>
/** The one that is restored, and one that never was. */
let one: Console
let twin: Console
let root: Caller

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 60 } }))
  await pace({ sandbox }, 20)
  const stripe = () => gatewayOf(sandbox)
  const open = async (clock?: Console['clock']): Promise<Console> => {
    const opened = await openHosting(sandbox, { env: await backupsEnv(), stripe: stripe(), ...(clock && { clock }) })
    return { ...opened, system: asSystem(opened.ctx, 'job', 'test') }
  }
  one = await open()
  twin = await open(one.clock)
  root = await rootOf(one)
  for (const each of [one, twin]) {
    await importAll(each.system)
    await each.runJobs()
  }
})
afterAll(async () => {
  await one?.close()
  await twin?.close()
  await stop?.()
})

const sql = async (text: string) => (await one.ctx.pool.query(text)).rows

async function differences(): Promise<string[]> {
  await catchUp(twin.system, live())
  await twin.runJobs()
  const rows = dumpDifferences(await dumpMirror(one.ctx), await dumpMirror(twin.ctx))
  expect(await dumpTotals(one.ctx)).toEqual(await dumpTotals(twin.ctx))
  expect(await verifyTotals(one.ctx.db)).toEqual([])
  return rows
}

const world = () => ({ sandbox, console: one }) as World
const auditBefore = async () => JSON.stringify(await sql('select * from audit_entries order by id'))

const builds = () =>
  sql(
    'select site_id, build_id, version, commit_hash, status, completed_at is not null as is_over from deployments order by build_id',
  )

test('50 payments, 5 refunds, 3 cancellations and 2 deploys since are there again: as in a console that was never restored', async () => {
  const hosting = { console: one, hosted: await hostedSites(sandbox), taken: new Set<string>() }
  const site = await addSite(hosting, 'pages')
  await runJob(one.ctx, 'deployments.take-in')
  const subscriptions: string[] = []
  for (let n = 0; n < 3; n++) subscriptions.push(await makeSubscription(world()))
  const backup = await backupAs(one, root, 'Before the rush')
  expect(backup.state).toBe('done')
  const payments: string[] = []
  for (let n = 0; n < 50; n++) payments.push((await makePayment(world(), { amount: 5000 + n })).payment)
  const refunds = payments.slice(0, 5)
  for (const [n, payment] of refunds.entries()) {
    const answer = await root.post(`/stripe/payments/${payment}/refund`, n % 2 === 0 ? {} : { amount: 1200 })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  for (const subscription of subscriptions) {
    const answer = await root.post(`/stripe/subscriptions/${subscription}/cancel`)
    expect(answer.statusCode, answer.body).toBe(200)
  }
  const deploysBefore = sentAbout({ sandbox }, `${site.project}/deployments`).length
  const stopRunner = startRunner(one)
  for (let n = 0; n < 2; n++)
    expect(await ended({ root }, (await deploy({ root }, site.id)).id)).toMatchObject({ status: 'success' })
  await stopRunner()
  await one.runJobs()
  const deployed = await builds()
  const entries = await auditBefore()
  const actions = await sql('select * from money_actions order by id')
  expect(actions).toHaveLength(8)

  const restore = await restoreAs(one, root, backup)
  await one.runJobs()
  expect(restore).toMatchObject({ state: 'done' })
  expect(restore.report.filter(({ ok }) => !ok)).toEqual([])
  expect(restore.report.find(({ what }) => what === 'Stripe')?.text).toMatch(/updated/)

  expect(await differences()).toEqual([])
  expect(await builds()).toEqual(deployed)
  // Found at Cloudflare, not made once more.
  expect(sentAbout({ sandbox }, `${site.project}/deployments`)).toHaveLength(deploysBefore + 2)
  expect(await sql('select * from money_actions order by id')).toEqual(actions)
  // The log before is there as it was, the restore stands behind it.
  const now = await sql('select * from audit_entries order by id')
  expect(JSON.stringify(now.slice(0, JSON.parse(entries).length))).toBe(entries)
  for (const payment of refunds) {
    const again = await root.post(`/stripe/payments/${payment}/refund`, { amount: 100_000 })
    expect([400, 409, 422]).toContain(again.statusCode)
  }
})

test('without the actions since, as on a fresh machine, refunds are found by their action id', async () => {
  const backup = await backupAs(one, root, 'Alone')
  const { payment } = await makePayment(world(), { amount: 9000 })
  const key = { 'idempotency-key': 'refund-of-the-lost-week' }
  expect((await root.post(`/stripe/payments/${payment}/refund`, { amount: 4000 }, key)).statusCode).toBe(200)
  // What the replaced database knew of it is gone with it.
  await sql('alter table money_actions disable trigger user')
  await sql(`delete from money_actions where id = 'refund-of-the-lost-week'`)
  await sql('alter table money_actions enable trigger user')
  await sql('delete from idempotency_keys')
  await restoreAs(one, root, backup)
  await one.runJobs()
  const { report } = await newestRestore(root)
  expect(report.find(({ what }) => what === 'Refunds')).toMatchObject({
    ok: true,
    text: expect.stringMatching(/Found 1 missing refund at Stripe/),
  })
  const [action] = await sql(
    `select state, amount::int, target_id from money_actions where id = 'refund-of-the-lost-week'`,
  )
  expect(action).toEqual({ state: 'done', amount: 4000, target_id: payment })
  // Whoever asks for it again is answered; nothing more is sent.
  const again = await root.post(`/stripe/payments/${payment}/refund`, { amount: 4000 }, key)
  expect(again.statusCode, again.body).toBe(200)
  expect(again.json().success).toBe(true)
  expect(await differences()).toEqual([])
  expect(await sql(`select amount::int from refunds where payment_id = '${payment}'`)).toEqual([{ amount: 4000 }])
})
