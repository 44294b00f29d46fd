import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloudflareAt } from '../test/cloudflare.ts'
import { runJob } from '../test/context.ts'
import { advanceAndDie, moments } from '../test/dying-run.ts'
import { exportsEnv } from '../test/exports.ts'
import { loseAnswer, loseCredit, lostActions } from '../test/lost-actions.ts'
import { createPerson } from '../test/people.ts'
import { request } from '../test/request.ts'
import { makeSite } from '../test/sites.ts'
import { loadConfig } from './config.ts'
import { kindWords } from './features/billing/money-actions/kinds.ts'
import { durableRuns } from './features/index.ts'
import { makeCustomer, startWorld, type World } from './features/lifecycle/test/world.ts'
import { findOpenRun, findRun, type RunRow } from './platform/runs/queries.ts'

const project = 'cascobaycoffee'
const account = 'lifecycle.run'
const site = 'sites.suspension'
const lost = 'billing.resolve-actions'
const report = 'report-schedules.deliver'
const rollout = 'feature-flags.rollout'
const rings = 'deployments.rings'

let world: World
let domains: string[]
/** Of the processes that write mails with files; nobody listens at the mail server, and none is sent here. */
let mailEnv: Record<string, string>

const cloudflare = () => cloudflareAt(world.sandbox.cloudflare)
const attached = async (): Promise<string[]> =>
  (await cloudflare().listProjectDomains(project)).map(({ name }) => name).sort()

beforeAll(async () => {
  world = await startWorld(3)
  mailEnv = { ...(await exportsEnv()), SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'console@example.com' }
  const { dataDir, smtpUrl, mailFrom, secretsKey } = loadConfig(mailEnv, false)
  const config = { ...world.console.ctx.config, dataDir, smtpUrl, mailFrom, secretsKey }
  world.console.ctx.replace({ cloudflare: cloudflare(), config })
  domains = await attached()
})
afterAll(() => world?.close())
beforeEach(async () => {
  const now = await attached()
  for (const name of domains.filter((one) => !now.includes(one))) await cloudflare().attachDomain(project, name)
})

async function post(path: string, body: object = {}): Promise<void> {
  expect((await world.root.post(path, body)).statusCode).toBe(200)
}

/** Undisturbed, in this process. */
const toItsEnd = (name: string, subject: string): Promise<void> => runJob(world.console.ctx, name, { subject })

async function newSite(owner: Record<string, unknown> = {}): Promise<string> {
  const { id } = await makeSite(world.root, owner)
  const settings = { version: 1, provider: 'pages', pages: { project } }
  expect((await world.root.patch(`/sites/${id}/settings`, settings)).statusCode).toBe(200)
  return id
}

async function newAccount(): Promise<string> {
  const { id } = await makeCustomer(world)
  await newSite({ customer_id: id })
  return id
}

const suspend = (id: string) =>
  post(`/stripe/customers/${id}/suspend`, { reason: 'abuse', billing: 'void', notice: true })

async function deleteAccount(id: string): Promise<void> {
  const { preview } = (await world.root.get(`/stripe/customers/${id}/delete?at_stripe=true`)).json()
  await post(`/stripe/customers/${id}/delete`, { at_stripe: true, typed_name: preview.typed_name })
}

type Row = {
  name: string
  kind: string
  prepare(): Promise<string>
  begin(subject: string): Promise<void>
  steps: string[]
  /** What is asked of the providers, in order, reads left out. */
  asked: string[]
}

/** To two administrators, with a file; answers its schedule. */
async function newSchedule(): Promise<string> {
  const [owner, other] = [
    await createPerson(world.console, { role: 'super_admin' }),
    await createPerson(world.console, { role: 'admin' }),
  ]
  // The log names whoever has the file made.
  await world.console.ctx.pool.query(`update users set name = 'Ada' where id in ($1, $2)`, [owner.id, other.id])
  const answer = await request(world.console.ctx)
    .withKey(owner.key)
    .post('/report-schedules', {
      ...{ report: 'performance', receiver_ids: [owner.id, other.id], format: 'csv' },
      ...{ cadence: 'weekly', weekday: 1, hour: 8, time_zone: 'Europe/Berlin' },
    })
  return answer.json().schedule.id
}

const newFlag = async (): Promise<string> =>
  (await world.root.post('/features', { name: `killed-${randomUUID()}`, description: 'On its way' })).json().flag.id

const rows: Row[] = [
  {
    ...{ name: account, kind: 'suspend', prepare: newAccount, begin: suspend },
    steps: ['record done', 'pause done', 'sites done', 'mail done'],
    asked: ['subscriptions.update', 'pages.projects.domains.delete'],
  },
  {
    ...{ name: account, kind: 'unsuspend' },
    async prepare() {
      const id = await newAccount()
      await suspend(id)
      await toItsEnd(account, id)
      return id
    },
    begin: (id) => post(`/stripe/customers/${id}/unsuspend`, { notice: true }),
    steps: ['resume done', 'sites done', 'record done', 'mail done'],
    asked: ['subscriptions.update', 'pages.projects.domains.create'],
  },
  {
    ...{ name: account, kind: 'delete', prepare: newAccount, begin: deleteAccount },
    steps: ['record done', 'delete_at_stripe done', 'sites done'],
    asked: ['customers.del', 'pages.projects.domains.delete'],
  },
  {
    ...{ name: account, kind: 'erase' },
    async prepare() {
      const id = await newAccount()
      await deleteAccount(id)
      await toItsEnd(account, id)
      return id
    },
    async begin(id) {
      const { preview } = (await world.root.get(`/stripe/customers/${id}/erase`)).json()
      await post(`/stripe/customers/${id}/erase`, { typed_name: preview.typed_name })
    },
    steps: ['erase done'],
    asked: [],
  },
  {
    ...{ name: site, kind: 'suspend', prepare: () => newSite() },
    begin: (id) => post(`/sites/${id}/suspend`, { reason: 'Not paid' }),
    steps: ['detach done'],
    asked: ['pages.projects.domains.delete'],
  },
  {
    ...{ name: site, kind: 'resume' },
    async prepare() {
      const id = await newSite()
      await post(`/sites/${id}/suspend`, { reason: 'Not paid' })
      await toItsEnd(site, id)
      return id
    },
    begin: (id) => post(`/sites/${id}/resume`),
    steps: ['attach done'],
    asked: ['pages.projects.domains.create'],
  },
  {
    ...{ name: report, kind: 'now', prepare: newSchedule },
    begin: (id) => post(`/report-schedules/${id}/send`),
    steps: ['file done', 'mail done', 'mail done'],
    asked: [],
  },
  {
    ...{ name: rollout, kind: 'rollout', prepare: newFlag },
    begin: (id) =>
      post(`/features/${id}/rollout`, { version: 1, needs_green: false, steps: [{ rollout_percentage: 50 }] }),
    steps: ['set done'],
    asked: [],
  },
  {
    // A deployment that is begun goes on by its own runner, which is killed in deployments/killed.long.test.ts.
    ...{ name: rings, kind: 'over a site that cannot be deployed' },
    async prepare() {
      const { id } = await makeSite(world.root)
      const order = { site_ids: [id], rings: [100], wait_minutes: 0 }
      return (await world.root.post('/deployment-rings', order)).json().rollout.id
    },
    begin: async () => {},
    steps: ['ring done', 'end done'],
    asked: [],
  },
]

const calls = new Map<string, Parameters<typeof loseAnswer>[2]>()

/** Money actions whose answer was lost before anything of them had arrived. */
const lostRows: Row[] = [
  ...lostActions.map(({ kind, prepare, asked }) => ({
    ...{ name: lost, kind, asked, steps: ['settle done', 'copy skipped'] },
    async prepare() {
      const key = randomUUID()
      calls.set(key, await prepare(world))
      return key
    },
    begin: (key: string) => loseAnswer(world, key, calls.get(key)!),
  })),
  {
    ...{ name: lost, kind: 'sla_credit', prepare: async () => randomUUID(), begin: (id) => loseCredit(world, id) },
    ...{ steps: ['settle done', 'copy skipped'], asked: ['customers.createBalanceTransaction'] },
  },
  {
    ...{ name: lost, kind: 'refund that was made, its payment not read' },
    async prepare() {
      const key = randomUUID()
      calls.set(key, await lostActions.find(({ kind }) => kind === 'refund')!.prepare(world))
      return key
    },
    async begin(key) {
      const { path, body } = calls.get(key)!
      world.sandbox.faults.next('stripe', 'paymentIntents.retrieve', 503)
      expect((await world.root.post(path, body, { 'idempotency-key': key })).json()).toMatchObject({ success: true })
      world.sandbox.faults.clear()
    },
    ...{ steps: ['settle skipped', 'copy done'], asked: ['refunds.create'] },
  },
]

async function openRun(name: string, subject: string): Promise<RunRow> {
  const run = await findOpenRun(world.console.ctx.db, name, subject)
  if (!run) throw new Error(`Nothing is being done to ${subject}`)
  return run
}

/** A process dies at every moment of every step that has something to do, and one more finds its way to the end. */
async function killedAtEveryStep(name: string, subject: string, { steps }: Row): Promise<void> {
  const { connectionString } = world.console.database
  const order = { connectionString, name, subject, ...(name === report && { env: mailEnv }) }
  for (const [position, step] of steps.entries())
    for (const moment of step.endsWith(' skipped') ? [] : moments) {
      const death = { position, moment }
      expect([death, await advanceAndDie(world.sandbox, { ...order, death })]).toEqual([death, true])
    }
  expect(await advanceAndDie(world.sandbox, { ...order, death: null })).toBe(false)
  await toItsEnd(name, subject)
}

const count = async (table: 'mails' | 'notifications' | 'audit_entries'): Promise<number> => {
  const { db } = world.console.ctx
  const row = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(row.rows)
}

/** What the run left behind: its steps, the audit log, the mails and notices, and what the providers were asked. */
async function traceOf(
  row: Row,
  work: (name: string, subject: string, row: Row) => Promise<void>,
): Promise<{ state: string; steps: string[]; asked: string[]; audit: string[]; told: number[] }> {
  const { name, prepare, begin } = row
  const { ctx, enqueued } = world.console
  const subject = await prepare()
  const before = { asked: world.sandbox.requestLog().length, audit: await count('audit_entries') }
  const told = [await count('mails'), await count('notifications')]
  await begin(subject)
  const { id } = await openRun(name, subject)
  await work(name, subject, row)
  enqueued.length = 0
  const run = await findRun(ctx.db, id)
  const keys = new Set<string>()
  /** What the provider has seen under its key already changes nothing there. */
  const isNew = ({ idempotencyKey: key }: { idempotencyKey?: string | null }) =>
    !key || (!keys.has(key) && Boolean(keys.add(key)))
  const entries = await ctx.db
    .selectFrom('audit_entries')
    .select(['actor_name', 'action', 'outcome', 'after'])
    .orderBy('id')
    .execute()
  return {
    state: run?.state ?? 'gone',
    steps: (run?.steps ?? []).map((step) => `${step.name} ${step.state}`),
    asked: world.sandbox
      .requestLog()
      .slice(before.asked)
      .flatMap((request) => (request.method === 'GET' || !isNew(request) ? [] : [String(request.name)])),
    audit: entries
      .slice(before.audit)
      .map(({ actor_name, action, outcome, after }) =>
        [actor_name, action, (after as { state?: string } | null)?.state, outcome].join(' '),
      ),
    told: [(await count('mails')) - (told[0] ?? 0), (await count('notifications')) - (told[1] ?? 0)],
  }
}

test('every step of everything that outlives its process is in the table', () => {
  const stepsOf = (name: string) =>
    [...rows, ...lostRows].flatMap((row) =>
      row.name === name ? row.steps.flatMap((step) => (step.endsWith(' done') ? [step.split(' ')[0]] : [])) : [],
    )
  const kinds = [...new Set(lostRows.map(({ kind }) => kind))]
  expect(kinds).toEqual(expect.arrayContaining(Object.keys(kindWords)))
  // Those of backups ask no provider, and are killed where they are tested.
  for (const { name, steps } of durableRuns.filter((run) => !run.name.startsWith('backups.')))
    expect([name, [...new Set(stepsOf(name))].sort()]).toEqual([name, Object.keys(steps).sort()])
})

test.each([...rows, ...lostRows])(
  '$name, $kind: killed at every step, it leaves what it leaves undisturbed',
  async (row) => {
    const calm = await traceOf(row, toItsEnd)
    expect(calm).toMatchObject({ state: 'done', steps: row.steps })
    expect([...new Set(calm.asked)]).toEqual(row.asked)
    const now = await attached()
    for (const name of domains.filter((one) => !now.includes(one))) await cloudflare().attachDomain(project, name)
    expect(await traceOf(row, killedAtEveryStep)).toEqual(calm)
  },
)
