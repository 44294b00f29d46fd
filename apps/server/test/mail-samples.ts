import type { Delivery } from '@agency/contract/channels'
import { permissions } from '@agency/contract/permissions'
import { type Actor, asSystem, inTransaction, type TransactionContext } from '../src/context.ts'
import { mailLink, mailTemporaryPassword } from '../src/features/admin-users/mails.ts'
import type { Message } from '../src/features/channels/message.ts'
import { sendMails } from '../src/features/channels/send-mails.ts'
import { testMessage } from '../src/features/channels/service/channels.ts'
import { mailNotice } from '../src/features/impersonation/notice.ts'
import { draftOf, wordsFor } from '../src/features/incident-notices/words.ts'
import { linkEmail } from '../src/features/invoices/link-email.ts'
import { noticeOf } from '../src/features/lifecycle/words.ts'
import { compose } from '../src/features/report-schedules/compose.ts'
import { tryMailServer } from '../src/features/settings/try-connection.ts'
import { renderText } from '../src/features/uptime-reports/render-text.ts'
import type { Report } from '../src/features/uptime-reports/report.ts'
import { mailSubject } from '../src/features/uptime-reports/words.ts'
import { createSecretBox } from '../src/platform/secrets.ts'
import { writeEntries } from './audit-log.ts'
import { runJob, type TestContext } from './context.ts'
import { bodyOf, subjectOf } from './mail-parts.ts'
import type { MailServer } from './mail-server.ts'
import { addAlert, addLooks, every } from './monitoring-rows.ts'
import { request } from './request.ts'
import { insertRows } from './rows.ts'
import { makeSite } from './sites.ts'

export type SampleMail = { name: string; subject: string; text: string }
export type MailWorld = { t: TestContext; server: MailServer }
type Words = { subject: string; text: string }

export const company = 'Seaside Web'
const customer = 'Castine Chandlery'
const minuteMs = 60_000
const at = (time: string): Date => new Date(`2026-11-${time}:00Z`)

const named = (name: string, { subject, text }: Words): SampleMail => ({ name, subject, text })

const grace: Actor = {
  ...{ type: 'user', id: 'u_grace', name: 'Grace', role: 'super_admin' },
  permissions: new Set(permissions),
}
const ada = { id: 'u_ada', email: 'ada@seaside.example', name: 'Ada' }

/** What was written into the outbox meanwhile. */
async function queuedBy({ t: { ctx } }: MailWorld, work: () => Promise<unknown>): Promise<Words> {
  await ctx.pool.query('delete from mails')
  await work()
  const box = await ctx.instance(createSecretBox)
  const { subject, sealed_text } = await ctx.db
    .selectFrom('mails')
    .select(['subject', 'sealed_text'])
    .executeTakeFirstOrThrow()
  return { subject, text: box.open(sealed_text) ?? '' }
}

const asGrace = ({ t: { ctx } }: MailWorld) => ({ ...asSystem(ctx, 'job', 'test'), actor: grace })

const inTx = (world: MailWorld, work: (tx: TransactionContext) => Promise<unknown>): Promise<Words> =>
  queuedBy(world, async () => {
    await world.t.ctx.pool.query(
      `insert into users (id, name, email, role_id, password_hash, created_at, updated_at, created_by, created_by_name)
       values ('u_ada', 'Ada', 'ada@seaside.example', 'support', '', now(), now(), 'test', 'Grace') on conflict do nothing`,
    )
    await inTransaction(asGrace(world), work)
  })

/** What a mail server got meanwhile. */
async function sentBy({ server }: MailWorld, work: () => Promise<unknown>): Promise<Words> {
  server.received.length = 0
  await work()
  const raw = server.received[0]?.raw ?? ''
  return { subject: subjectOf(raw), text: bodyOf(raw, 'text/plain') }
}

async function toPeople(world: MailWorld): Promise<SampleMail[]> {
  const until = at('28T12:00')
  const link = (kind: 'invitation' | 'password_reset') =>
    inTx(world, (tx) => mailLink(tx, ada, { kind, path: '/admin/welcome#a1b2c3', expiresAt: until }))
  const password = (what: 'welcome' | 'password_reset') =>
    inTx(world, (tx) => mailTemporaryPassword(tx, ada, what, until))
  return [
    named('Invitation', await link('invitation')),
    named('Password reset, by a link', await link('password_reset')),
    named('Welcome, with a temporary password', await password('welcome')),
    named('Password reset, with a temporary password', await password('password_reset')),
  ]
}

const alertFacts = { alertId: null, severity: 'error', link: '/admin/alerts?open=alert_1' } as const

/** What a channel is sent, by kind. */
export const messages: Record<Delivery['type'], Message> = {
  'alert.opened': {
    ...alertFacts,
    ...{ type: 'alert.opened', title: 'Castine Chandlery is down', detail: 'Answered with status 500' },
  },
  'alert.resolved': {
    ...alertFacts,
    ...{ type: 'alert.resolved', title: 'Resolved: Castine Chandlery is down', detail: '' },
  },
  notice: {
    ...{ type: 'notice', alertId: null, severity: 'warning', link: '/admin/payments?open=pi_1' },
    ...{ title: 'Payment of $74.50 by Castine Chandlery failed', detail: 'Not enough money on the card' },
    escalatedFrom: 'Ops on Slack',
  },
  digest: {
    ...{ type: 'digest', alertId: null, severity: 'error', link: '/admin/alerts?status=all&sort=newest' },
    title: '2 messages from your quiet hours',
    detail: 'Sat 2:10 AM – Error: Orchard Farm is down\nSat 2:25 AM – Resolved: Orchard Farm is down\nTimes in UTC.',
  },
  test: testMessage,
}

async function toChannel(world: MailWorld): Promise<SampleMail[]> {
  const id = await addAlert(world.t, {})
  const mails: SampleMail[] = []
  for (const [type, message] of Object.entries(messages)) {
    const channel = { target_shown: 'ops@seaside.example' } as Parameters<typeof sendMails>[1]
    const alertId = type.startsWith('alert.') ? id : null
    const delivery = { id: `delivery_${type}`, recipients: {}, message: { ...message, alertId } }
    const sent = await sentBy(world, () =>
      sendMails(world.t.ctx, channel, delivery as unknown as Parameters<typeof sendMails>[2]),
    )
    // The token is random.
    mails.push(named(`Alert channel: ${type}`, { ...sent, text: sent.text.replace(/(\/acknowledge\/)\S+/, '$1…') }))
  }
  return mails
}

const invoice = {
  ...{ number: 'SEA-0042', status: 'open', amount_remaining: 7450, currency: 'usd', customer_deleted: false },
  ...{ hosted_invoice_url: 'https://invoice.stripe.com/i/SEA-0042', customer_name: customer },
  customer_email: 'owner@castine.example',
}

async function incidentMails(): Promise<SampleMail[]> {
  const receiver = { name: customer, sites: ['castine.example', 'shop.castine.example'] }
  const [opened_at, resolved_at] = [at('21T10:00'), at('21T11:42')]
  return [
    named('Incident, open', wordsFor(draftOf({ opened_at, resolved_at: null }, company), receiver)),
    named('Incident, resolved', wordsFor(draftOf({ opened_at, resolved_at }, company), receiver)),
  ]
}

const uptime: Report = {
  ...{ company, customer: { id: 'cus_1', name: customer, email: 'owner@castine.example' }, month: '2026-10' },
  ...{ from: new Date('2026-10-01T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z'), isRunning: false },
  sites: [
    {
      ...{ id: 's_1', domain: 'castine.example', known_seconds: 2_671_000, down_seconds: 1800 },
      ...{ maintenance_seconds: 3600, unknown_seconds: 0, response_ms: 212 },
    },
  ],
  outages: [
    {
      domain: 'castine.example',
      from: new Date('2026-10-12T10:00:00Z'),
      to: new Date('2026-10-12T10:30:00Z'),
    },
  ],
  incidents: [
    {
      ...{ number: 7, opened_at: new Date('2026-10-12T10:00:00Z'), resolved_at: new Date('2026-10-12T10:30:00Z') },
      words: ['The shop was slow and is fixed.'],
    },
  ],
  deployments: [{ domain: 'castine.example', at: new Date('2026-10-20T09:00:00Z'), version: 'v12', status: 'success' }],
}

/** A customer with a site that was down for half an hour, a payment and an invoice. */
async function addFigures(t: TestContext): Promise<void> {
  const sunday = Date.parse('2026-11-15T00:00:00Z')
  const root = request(t.ctx).as('super_admin')
  await t.ctx.pool.query(
    `insert into mirror_imports (id, state, reason, started_at) values ('imp_1', 'done', 'test', $1)`,
    [at('01T00:00')],
  )
  await insertRows(t.ctx.pool, 'customers', [{ id: 'cus_1', name: customer, email: 'owner@castine.example' }])
  const paid = { customer_id: 'cus_1', amount: 7450, amount_captured: 7450 }
  await insertRows(t.ctx.pool, 'payments', [{ id: 'pi_1', ...paid, created_at: '2026-11-16T10:00:00Z' }])
  await insertRows(t.ctx.pool, 'invoices', [
    { id: 'in_1', number: 'SEA-0042', customer_id: 'cus_1', amount_due: 7450, created_at: '2026-11-17T09:00:00Z' },
  ])
  const site = await makeSite(root, { site_name: customer, domain: 'castine.example' })
  await t.ctx.pool.query('update sites set customer_id = $2, created_at = $3 where id = $1', [
    ...[site.id, 'cus_1', new Date('2026-10-01T00:00:00Z')],
  ])
  const down = { from: sunday + 600 * minuteMs, to: sunday + 630 * minuteMs }
  const looks = every(minuteMs, sunday, sunday + 1440 * minuteMs)
  await addLooks(
    t,
    site.id,
    looks.map((look) => ({ ...look, ms: 200, health: look.at >= down.from && look.at < down.to ? 'down' : 'healthy' })),
  )
  await t.ctx.pool.query('delete from site_probe_progress')
  await runJob(t.ctx, 'probes.roll_up')
}

async function reports(world: MailWorld): Promise<SampleMail[]> {
  await addFigures(world.t)
  const mails: SampleMail[] = []
  for (const report of ['revenue', 'customers', 'usage', 'performance', 'customer'] as const) {
    const written = await compose(asGrace(world), grace, {
      ...{ report, customerId: report === 'customer' ? 'cus_1' : null, cadence: 'weekly', timeZone: 'UTC' },
      ...{ days: { first: '2026-11-15', last: '2026-11-21' }, owner: 'Grace' },
      fileNote: report === 'usage' ? 'Attached: usage-2026-11-15-2026-11-21.csv.' : null,
      stopUrl: 'https://console.seaside.example/unsubscribe/…',
    })
    mails.push(named(`Scheduled report: ${report}`, written))
  }
  return mails
}

async function auditHead(world: MailWorld): Promise<SampleMail[]> {
  await writeEntries(world.t, 3)
  const { subject, text } = await queuedBy(world, () => runJob(world.t.ctx, 'audit.send-head'))
  // They differ from run to run.
  const shown = text.replaceAll(/[\w+/=-]{36,}/g, '…')
  return [named('Head of the audit log', { subject, text: shown })]
}

/** By the file of `apps/server/src/features` that has the mail written or sent. */
export const mailSamples: Record<string, (world: MailWorld) => Promise<SampleMail[]>> = {
  'admin-users/mails.ts': toPeople,
  'audit/send-heads.ts': auditHead,
  'channels/send-mails.ts': toChannel,
  'impersonation/notice.ts': async (world) => {
    const mail = (way: 'view' | 'portal') =>
      inTx(world, (tx) => mailNotice(tx, { way, started_at: at('21T09:05') }, { name: customer, email: 'o@c.example' }))
    return [named('Account viewed', await mail('view')), named('Billing portal opened', await mail('portal'))]
  },
  'incident-notices/service/notices.ts': incidentMails,
  'invoices/service/email-payment-link.ts': async () => [
    named('Payment link, invoice open', linkEmail({ ...invoice, attempt_count: 0 }, company)),
    named('Payment link, payment failed', linkEmail({ ...invoice, attempt_count: 1 }, company)),
  ],
  'lifecycle/steps/notice.ts': async () => [
    named('Account suspended', noticeOf('suspend', company, customer)),
    named('Suspension lifted', noticeOf('unsuspend', company, customer)),
  ],
  'report-schedules/run.ts': reports,
  'settings/try-connection.ts': async (world) => {
    const { config, log } = world.t.ctx
    return [named('Test of the mail server', await sentBy(world, () => tryMailServer(config, 'ada@c.example', log)))]
  },
  'uptime-reports/send.ts': async () => [
    named('Monthly uptime report', { subject: mailSubject(uptime), text: renderText(uptime) }),
  ],
}
