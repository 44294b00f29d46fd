import { randomUUID } from 'node:crypto'
import * as contract from '@agency/contract'
import type { EndpointConfig } from '@agency/contract/endpoint'
import type { Sandbox } from '@agency/sandbox'
import type { LightMyRequestResponse } from 'fastify'
import { TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auditFailures, breakingAudit, mendAudit } from '../test/broken-audit.ts'
import { customerSamples } from '../test/customer-samples.ts'
import { digestTables } from '../test/every-table.ts'
import { failedMail } from '../test/failed-mail.ts'
import { type Console, openConsole, startTestSandbox } from '../test/fixtures/mirror.ts'
import { lifecycleSamples, newCustomer } from '../test/lifecycle-samples.ts'
import { newOrder } from '../test/new-orders.ts'
import { createPerson, createRole } from '../test/people.ts'
import { type Caller, request } from '../test/request.ts'
import { testAdminKey } from '../test/sign-in.ts'
import { asSystem, inTransaction } from './context.ts'
import { createPasswordCheck, ensureAdminKey, makeLink } from './features/auth/index.ts'
import { backupSamples, endBackups } from './features/backups/test/samples.ts'
import { changeSamples } from './features/billing/money-actions/test/samples.ts'
import { makeSubscription, mirrorObject, type World } from './features/billing/money-actions/test/world.ts'
import { routeSamples } from './features/channels/test/samples.ts'
import { couponSamples } from './features/coupons/test/samples.ts'
import { deploymentSamples } from './features/deployments/test/samples.ts'
import { domainSamples } from './features/domains/test/samples.ts'
import { exportSamples } from './features/exports/test/samples.ts'
import { flagSamples } from './features/feature-flags/test/samples.ts'
import { alertSamples } from './features/incidents/test/samples.ts'
import { invoiceSamples } from './features/invoices/test/samples.ts'
import { driftSamples } from './features/money-drift/test/samples.ts'
import { paymentLinkSamples } from './features/payment-links/test/samples.ts'
import { resetSamples } from './features/purchase-reset/test/samples.ts'
import { pushSamples } from './features/push/test/samples.ts'
import { queueSamples } from './features/queues/test/samples.ts'
import { scheduleSamples } from './features/report-schedules/test/samples.ts'
import { siteSamples } from './features/sites/test/samples.ts'
import { creditSamples } from './features/sla-credits/test/samples.ts'
import { sqlSamples } from './features/sql-console/test/samples.ts'
import { recordSamples } from './features/zone-changes/test/samples.ts'
import { isEndpoint } from './platform/http/routes.ts'

type Sent = { caller: Caller; path: string; body?: unknown }
/** Makes what a call needs, and answers the call. */
type Sample = () => Promise<Sent> | Sent

let sandbox: Sandbox
let stop: () => Promise<void>
let console_: Console
let root: Caller

const password = 'tall lamp quiet river'

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 3 } }))
  console_ = await openConsole(sandbox, {
    env: { ADMIN_KEY: testAdminKey, SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'console@example.com' },
  })
  await ensureAdminKey(asSystem(console_.ctx, 'job', 'start'))
  root = request(console_.ctx).withKey(testAdminKey)
})

afterAll(async () => {
  await console_?.close()
  await stop?.()
})

const sql = (text: string) => console_.ctx.pool.query(text)
const snapshot = () => digestTables(console_.ctx.pool)
const countEntries = async (): Promise<number> =>
  Number((await sql('select count(*) as entries from audit_entries')).rows[0].entries)

afterEach(async () => {
  await endBackups(console_.ctx)
  await mendAudit(console_.ctx.pool)
  // A dozen sign-ins from one address are too many only here.
  await sql('truncate sign_in_attempts, sign_in_lockouts')
})

async function personWithPassword(options: Parameters<typeof createPerson>[1] = {}) {
  const person = await createPerson(console_, options)
  const hash = await console_.ctx.instance(createPasswordCheck).hash(password)
  await sql(`update users set password_hash = '${hash}' where id = '${person.id}'`)
  return { ...person, caller: request(console_.ctx).withKey(person.key) }
}

async function enrolled(stage: 'open' | 'second_factor' = 'open') {
  const person = await personWithPassword({ role: 'support' })
  const begun = await person.caller.post('/auth/enrolment', { password })
  const { secret } = begun.json()
  const confirmed = await person.caller.post('/auth/enrolment/confirm', { code: codeOf(secret) })
  const { session_key: key, recovery_codes: codes } = confirmed.json()
  if (stage !== 'open') await sql(`update sessions set stage = '${stage}' where actor_id = '${person.id}'`)
  return { ...person, caller: request(console_.ctx).withKey(key), codes: codes as string[] }
}

const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: console_.ctx.clock() })

const anyone = () => request(console_.ctx).anonymous()
const newEmail = () => `${randomUUID()}@new.example`

async function linkFor(kind: 'invitation' | 'password_reset') {
  const person = await createPerson(console_, { role: 'support' })
  const link = await inTransaction(asSystem(console_.ctx, 'job', 'test'), (tx) => makeLink(tx, kind, person.id))
  return { ...person, token: link.token }
}

const apiKey = async (): Promise<string> =>
  (await root.post('/admin/api-keys', { name: 'Key', permissions: ['sites.read'] })).json().api_key.id

const onUser =
  (action: string, body: unknown = {}): Sample =>
  async () => ({
    caller: root,
    path: `/admin/users/${(await createPerson(console_, { role: 'support' })).id}/${action}`,
    body,
  })

const invited = async () =>
  (await root.post('/admin/users', { name: 'New', email: newEmail(), send_welcome_email: false })).json().user
    .id as string

const context = () => console_.ctx
const world = (): World => ({ sandbox, console: console_ }) as World

/** One call of every endpoint that changes something, ready to succeed. */
const samples: Record<string, Sample> = {
  login: () => ({ caller: anyone(), path: '/auth/login', body: { key: testAdminKey } }),
  loginWithEmail: async () => {
    const { email } = await personWithPassword()
    return { caller: anyone(), path: '/auth/login/email', body: { email, password } }
  },
  giveSecondFactor: async () => {
    const { caller, codes } = await enrolled('second_factor')
    return { caller, path: '/auth/second-factor', body: { code: codes[0] } }
  },
  chooseFirstPassword: async () => {
    const person = await personWithPassword({ role: 'support', stage: 'new_password' })
    await sql(`update users set temporary_password_expires_at = now() + interval '1 day' where id = '${person.id}'`)
    return { caller: person.caller, path: '/auth/first-password', body: { password: 'another tall lamp entirely' } }
  },
  changePassword: async () => {
    const { caller } = await personWithPassword()
    return {
      caller,
      path: '/auth/password',
      body: { current_password: password, password: 'another tall lamp entirely' },
    }
  },
  beginEnrolment: async () => ({
    caller: (await personWithPassword()).caller,
    path: '/auth/enrolment',
    body: { password },
  }),
  confirmEnrolment: async () => {
    const { caller } = await personWithPassword()
    const { secret } = (await caller.post('/auth/enrolment', { password })).json()
    return { caller, path: '/auth/enrolment/confirm', body: { code: codeOf(secret) } }
  },
  renewRecoveryCodes: async () => {
    const { caller, codes } = await enrolled()
    return { caller, path: '/auth/recovery-codes', body: { password, code: codes[0] } }
  },
  removeSecondFactor: async () => {
    const { caller, codes } = await enrolled()
    return { caller, path: '/auth/second-factor/remove', body: { password, code: codes[0] } }
  },
  acceptLink: async () => {
    const { token } = await linkFor('invitation')
    return { caller: anyone(), path: '/auth/links/accept', body: { token, password } }
  },
  endMySessions: async () => {
    const person = await personWithPassword()
    await anyone().post('/auth/login/email', { email: person.email, password })
    return { caller: person.caller, path: '/auth/sessions/end', body: { password } }
  },
  logout: async () => ({ caller: (await personWithPassword()).caller, path: '/auth/logout', body: {} }),
  startReconcile: () => ({ caller: root, path: '/mirror/reconcile', body: {} }),
  startImport: () => ({ caller: root, path: '/mirror/import', body: {} }),
  cancelImport: async () => {
    await root.post('/mirror/import', {})
    return { caller: root, path: '/mirror/import/cancel', body: {} }
  },
  replayDeadEvent: async () => {
    const id = `evt_${randomUUID().replaceAll('-', '')}`
    const payload = { id, object: 'event', data: { object: { id: 'cus_1', object: 'customer' } } }
    await sql(`insert into webhook_events (id, type, object_kind, object_id, created_at, received_at, state, attempts, error, payload, origin)
      values ('${id}', 'customer.updated', 'customer', 'cus_1', now(), now(), 'dead', 3, 'broken', '${JSON.stringify(payload)}', 'webhook')`)
    return { caller: root, path: `/mirror/dead-events/${id}/replay`, body: {} }
  },
  ...changeSamples(world, () => root),
  ...creditSamples(
    () => console_,
    () => root,
    {
      newCustomer: () => newCustomer({ console: console_, sandbox }),
      makeSubscription: (input) => makeSubscription(world(), { ...input }),
      mirror: (kind, id) => mirrorObject(console_, kind, id),
    },
  ),
  ...invoiceSamples(world, () => root),
  createSubscription: async () => ({ caller: root, path: '/stripe/subscriptions', body: await newOrder(world()) }),
  ...couponSamples(world, () => root),
  ...paymentLinkSamples(world, () => root),
  ...customerSamples(() => ({
    root,
    newCustomer: () => newCustomer({ console: console_, sandbox }),
    signedIn: async () => (await personWithPassword({ role: 'admin' })).caller,
  })),
  ...lifecycleSamples(() => ({ console: console_, sandbox, root })),
  ...domainSamples(() => ({ console: console_, sandbox, root })),
  ...recordSamples(() => ({ console: console_, sandbox, root })),
  ...deploymentSamples(() => ({ console: console_, sandbox, root })),
  ...siteSamples(() => root),
  createUser: () => ({ caller: root, path: '/admin/users', body: { name: 'New', email: newEmail() } }),
  updateUser: async () => ({
    caller: root,
    path: `/admin/users/${(await createPerson(console_, { role: 'support' })).id}`,
    body: { name: 'Renamed', role_id: 'readonly' },
  }),
  activateUser: async () => {
    const { id } = await createPerson(console_, { role: 'support' })
    await sql(`update users set is_active = false where id = '${id}'`)
    return { caller: root, path: `/admin/users/${id}/activate`, body: {} }
  },
  deactivateUser: onUser('deactivate'),
  resetSecondFactor: async () => ({
    caller: root,
    path: `/admin/users/${(await enrolled()).id}/reset-second-factor`,
    body: {},
  }),
  resetPassword: onUser('reset-password', {}),
  renewInvitation: async () => ({ caller: root, path: `/admin/users/${await invited()}/invitation`, body: {} }),
  revokeLink: async () => ({ caller: root, path: `/admin/users/${await invited()}/link` }),
  deleteUser: async () => ({
    caller: root,
    path: `/admin/users/${(await createPerson(console_, { role: 'support' })).id}`,
  }),
  createRole: () => ({
    caller: root,
    path: '/admin/roles',
    body: { display_name: `Role ${randomUUID()}`, permissions: ['sites.read'] },
  }),
  updateRole: async () => ({
    caller: root,
    path: `/admin/roles/${await createRole(console_, ['sites.read'])}`,
    body: { permissions: ['sites.read', 'sites.write'] },
  }),
  deleteRole: async () => ({ caller: root, path: `/admin/roles/${await createRole(console_, [])}` }),
  createApiKey: () => ({ caller: root, path: '/admin/api-keys', body: { name: 'Key', permissions: ['sites.read'] } }),
  updateApiKey: async () => ({ caller: root, path: `/admin/api-keys/${await apiKey()}`, body: { name: 'Renamed' } }),
  rollApiKey: async () => ({ caller: root, path: `/admin/api-keys/${await apiKey()}/roll`, body: {} }),
  revokeApiKey: async () => ({ caller: root, path: `/admin/api-keys/${await apiKey()}/revoke`, body: {} }),
  verifyAudit: async () => {
    await root.post('/admin/audit/verify/cancel', {})
    return { caller: root, path: '/admin/audit/verify', body: {} }
  },
  cancelAuditVerification: async () => {
    await root.post('/admin/audit/verify', {})
    return { caller: root, path: '/admin/audit/verify/cancel', body: {} }
  },
  revokeSession: async () => ({
    caller: root,
    path: `/admin/security/sessions/${(await createPerson(console_, { role: 'support' })).sessionId}/revoke`,
    body: {},
  }),
  revokeOtherSessions: async () => {
    await createPerson(console_, { role: 'support' })
    return { caller: root, path: '/admin/security/sessions/revoke-others', body: {} }
  },
  releaseLockOut: async () => {
    for (let time = 0; time < 5; time++)
      await request(console_.ctx).anonymous('203.0.113.9').post('/auth/login', { key: 'wrong' })
    const { lockouts } = (await root.get('/admin/security/lockouts')).json()
    return { caller: root, path: `/admin/security/lockouts/${encodeURIComponent(lockouts[0].id)}/release`, body: {} }
  },
  runSecurityChecks: () => ({ caller: root, path: '/admin/security/checks', body: {} }),
  changeSettings: () => ({
    caller: root,
    path: '/admin/settings',
    body: { changes: { 'company.name': `Agency ${randomUUID()}` } },
  }),
  revertSetting: async () => {
    for (const name of ['One', 'Two'])
      await root.patch('/admin/settings', { changes: { 'company.name': `${name} ${randomUUID()}` } })
    const { versions } = (await root.get('/admin/settings/company.name/history')).json()
    return { caller: root, path: '/admin/settings/company.name/revert', body: { version: versions[1].version } }
  },
  testConnection: () => ({ caller: root, path: '/admin/settings/test', body: { integration: 'smtp' } }),
  sendMailAgain: async () => ({ caller: root, path: `/admin/mails/${await failedMail(console_.ctx)}/send`, body: {} }),
  ...resetSamples(context, () => root),
  ...alertSamples(context, () => root),
  ...exportSamples(context, () => root),
  ...scheduleSamples(context, () => root),
  ...routeSamples(() => root),
  ...pushSamples(() => root),
  ...driftSamples(context, () => root),
  ...backupSamples(context, () => root),
  ...queueSamples(context, () => root),
  clearCaches: () => ({ caller: root, path: '/admin/caches/clear', body: { name: 'answers', pattern: '/api/*' } }),
  ...flagSamples(() => root),
  ...sqlSamples(context, () => root),
}

/** Changes without an entry, each for its reason. */
const withoutEntry: Record<string, string> = {
  heartbeat: 'says only that somebody is there, once a minute',
  reportVisibility: 'says only that a tab is hidden or seen',
  setTheme: 'is how the console looks to oneself',
  inspectLink: 'reads',
  ...{ markNotificationsRead: 'is what one has read oneself', markPurchasesRead: 'is what one has read oneself' },
  ...{ previewIncidentNotice: 'reads', previewInvoice: 'reads' },
  ...{ previewPaymentLink: 'reads', previewPurchaseReset: 'reads' },
  previewReportSchedule: 'reads',
  previewSubscription: 'reads',
  settleAction: 'claims the action before it asks Stripe; tested on its own',
  previewSiteImport: 'reads',
  ...{ refreshDomains: 'reads', readZoneFile: 'reads', checkZone: 'reads, and asks Cloudflare to look' },
  refreshCaches: 'reads: processes are asked what they hold',
  probeSite: 'is a look: it changes only what is known of a site',
  trySiteChecks: 'is a look of which nothing is kept',
  // The admin key is the caller of every other sample; see the tests of security for these two.
  rotateAdminKey: 'tested on its own',
  disableAdminKey: 'tested on its own',
}

const changing = Object.values(contract).flatMap((domain) =>
  Object.entries(domain as Record<string, unknown>).flatMap(([name, value]) =>
    isEndpoint(value) && value.method !== 'GET' ? [[name, value as EndpointConfig] as const] : [],
  ),
)

async function send(
  endpoint: EndpointConfig,
  { caller, path, body }: Sent,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const hasBody = body !== undefined
  return caller.inject({
    method: endpoint.method,
    url: `/api${path}`,
    headers: { ...(hasBody && { 'content-type': 'application/json' }), ...headers },
    ...(hasBody && { payload: JSON.stringify(body) }),
  })
}

test('every call that changes something is tried here, or says why not', () => {
  const names = [...Object.keys(samples), ...Object.keys(withoutEntry)]
  expect(names.sort()).toEqual(changing.map(([name]) => name).sort())
})

const tried = changing.filter(([name]) => name in samples)

describe.each(Object.keys(auditFailures) as (keyof typeof auditFailures)[])('when %s', (how) => {
  test.each(tried)('%s changes nothing', async (name, endpoint) => {
    const sent = await samples[name]!()
    const before = { tables: await snapshot(), entries: await countEntries() }
    const response = await breakingAudit(console_.ctx.pool, how, () => send(endpoint, sent))
    expect([name, response.statusCode]).toEqual([name, 500])
    expect({ tables: await snapshot(), entries: await countEntries() }).toEqual(before)
  })
})

describe('when all is well', () => {
  test.each(tried)('%s leaves an entry', async (name, endpoint) => {
    const sent = await samples[name]!()
    const before = await countEntries()
    const response = await send(endpoint, sent)
    expect([name, response.statusCode, response.statusCode === 200 ? '' : response.body]).toEqual([name, 200, ''])
    const id = String(response.headers['x-request-id'])
    const entries = await console_.ctx.db
      .selectFrom('audit_entries')
      .select('action')
      .where('request_id', '=', id)
      .execute()
    expect(entries.length).toBeGreaterThan(0)
    expect(await countEntries()).toBeGreaterThan(before)
  })
})

const repeatable = tried.filter(([, endpoint]) => endpoint.idempotent)
const sentToProviders = () => sandbox.requestLog().filter(({ method }) => method !== 'GET').length

describe('when it is repeated under its key', () => {
  test.each(repeatable)('%s answers the same and changes nothing', async (name, endpoint) => {
    const sent = await samples[name]!()
    const headers = { 'idempotency-key': randomUUID() }
    const first = await send(endpoint, sent, headers)
    expect([name, first.statusCode, first.statusCode === 200 ? '' : first.body]).toEqual([name, 200, ''])
    const before = { tables: await snapshot(), entries: await countEntries(), sent: sentToProviders() }
    const again = await send(endpoint, sent, headers)
    // A deployment's answer says whether it is a repeat; nothing else may differ.
    const answer = { ...first.json(), ...('is_repeat' in first.json() && { is_repeat: true }) }
    expect([again.statusCode, again.json()]).toEqual([200, answer])
    expect({ tables: await snapshot(), entries: await countEntries(), sent: sentToProviders() }).toEqual(before)
  })
})
