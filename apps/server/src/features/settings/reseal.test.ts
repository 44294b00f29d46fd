import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { makeSite } from '../../../test/sites.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { openSecretBox, type SecretBox } from '../../platform/secrets.ts'
import { beginSealEpoch } from '../audit/index.ts'
import { queueMail } from '../mail/index.ts'
import { sealedPlaces } from './queries/sealed.ts'
import { type Boxes, countSealed, reseal } from './reseal.ts'
import { holdSecretsKey, isKeyOfDatabase } from './secrets-key.ts'
import { readStored } from './stored.ts'

const newKey = 'the-new-secrets-key-of-this-test-0987654321'
// More than are read at once.
const mails = 620

let one: TestContext
let boxes: Boxes

const boxOf = (secretsKey: string): Promise<SecretBox> => openSecretBox({ secretsKey, dataDir: '/nowhere' })

beforeAll(async () => {
  one = await createTestContext({ env: secretsEnv })
  boxes = { from: await boxOf(secretsEnv.SECRETS_KEY), to: await boxOf(newKey) }
  const admin = request(one.ctx).as(['admin.system'])
  for (const key of ['sk_test_1', 'sk_test_2', 'sk_test_3'])
    await admin.patch('/admin/settings', { changes: { 'stripe.secret_key': key, 'company.name': key } })
  await inTransaction(asSystem(one.ctx, 'job', 'test'), (tx) =>
    queueMail(tx, {
      kind: 'test',
      to: { address: 'a@example.com', name: null },
      subject: 'One',
      text: 'Text of one',
      html: '<p>Text of one</p>',
      unsubscribeUrl: 'https://console.example.com/unsubscribe/one',
    }),
  )
  await one.ctx.pool.query(
    `insert into mails (id, kind, to_address, subject, sealed_text, state, created_at)
     select 'mail-' || n, 'test', 'a@example.com', 'S', $1, 'sent', now() from generate_series(2, $2::int) n`,
    [boxes.from.seal('Text of many'), mails],
  )
  await one.ctx.pool.query(
    `insert into users (id, email, name, role_id, totp_secret, created_at, updated_at, created_by, created_by_name)
     values ('u1', 'u1@example.com', 'U', 'support', $1, now(), now(), 'x', 'X')`,
    [boxes.from.seal('TOTPSECRET')],
  )
  const secrets = ['whsec_new', 'whsec_old'].map((text) => ({ sealed: boxes.from.seal(text), goodUntil: null }))
  await one.ctx.pool.query(
    `insert into instance_settings (key, value, updated_at) values ('mirror.webhook', $1, now())`,
    [JSON.stringify({ endpointId: 'we_1', url: 'http://x', secrets, events: [] })],
  )
  const site = await makeSite(request(one.ctx).as('super_admin'))
  await one.ctx.pool.query('update sites set hook_url_sealed = $2, hook_secret_sealed = $3 where id = $1', [
    site.id,
    boxes.from.seal('https://hook.example.com'),
    boxes.from.seal('hook secret'),
  ])
  await one.ctx.pool.query(
    `insert into site_environments (site_id, version, sealed, names, added, removed, changed, created_at, actor_name)
     values ($2, 1, $1, '{}', '{}', '{}', '{}', now(), 'T')`,
    [boxes.from.seal('{}'), site.id],
  )
  await one.ctx.pool.query(
    `insert into notification_channels (id, kind, name, target_sealed, target_shown, secret_sealed, created_at)
     values ('c1', 'webhook', 'C', $1, 'x', $2, now())`,
    [boxes.from.seal('https://hooks.example.com'), boxes.from.seal('acs_secret')],
  )
  await one.ctx.pool.query(
    `insert into push_keys (id, public_key, sealed, created_at) values ('vapid', 'B', $1, now())`,
    [boxes.from.seal('private key')],
  )
  await one.ctx.pool.query(
    `insert into push_subscriptions (id, actor_type, actor_id, browser, endpoint_hash, sealed, created_at)
     values ('p1', 'user', 'u1', 'B', 'h', $1, now())`,
    [boxes.from.seal('{}')],
  )
  await one.ctx.pool.query(`insert into backup_keys (id, sealed, created_at) values ('k1', $1, now())`, [
    boxes.from.seal('a backup key'),
  ])
  await beginSealEpoch(one.ctx, boxes.from, new Date())
})
afterAll(() => one.close())

/** As the command runs: no console listens. */
async function run(leavesLost = false) {
  await one.hearNoMore()
  const told: string[] = []
  const counts = await reseal(asSystem(one.ctx, 'job', 'test'), boxes, {
    leavesLost,
    tell: ({ place }) => told.push(place),
  })
  return { counts, told }
}

test('is refused while a console runs, which would go on with the old key', async () => {
  const options = { leavesLost: false, tell: () => {} }
  await expect(reseal(asSystem(one.ctx, 'job', 'test'), boxes, options)).rejects.toThrow('stop all of them first')
})

test('everything opens with the new key and nothing with the old one, and again changes nothing', async () => {
  const expected = [
    { place: 'settings', old: 1, done: 0, lost: 0 },
    { place: 'earlier settings', old: 3, done: 0, lost: 0 },
    { place: 'mails', old: mails, done: 0, lost: 0 },
    { place: 'pages of mails', old: 1, done: 0, lost: 0 },
    { place: 'unsubscribe links of mails', old: 1, done: 0, lost: 0 },
    { place: 'two-step secrets', old: 1, done: 0, lost: 0 },
    { place: 'webhook secrets', old: 2, done: 0, lost: 0 },
    { place: 'deploy hooks', old: 1, done: 0, lost: 0 },
    { place: 'secrets of deploy hooks', old: 1, done: 0, lost: 0 },
    { place: 'environments of sites', old: 1, done: 0, lost: 0 },
    { place: 'addresses of alert channels', old: 1, done: 0, lost: 0 },
    { place: 'secrets of alert channels', old: 1, done: 0, lost: 0 },
    { place: 'the key of browser push', old: 1, done: 0, lost: 0 },
    { place: 'browsers with push', old: 1, done: 0, lost: 0 },
    { place: 'keys of backups', old: 1, done: 0, lost: 0 },
    { place: 'seals of the audit log', old: 1, done: 0, lost: 0 },
  ]
  expect(await countSealed(one.ctx, boxes)).toEqual(expected)
  await holdSecretsKey(one.ctx, boxes.from, new Date())
  const { counts, told } = await run()
  expect(counts).toEqual(expected)
  expect(await isKeyOfDatabase(one.ctx, boxes.to)).toBe(true)
  await expect(holdSecretsKey(one.ctx, boxes.from, new Date())).rejects.toThrow('SECRETS_KEY is not the key')
  expect(told).toEqual(expected.map(({ place }) => place))
  const swapped = { from: boxes.to, to: boxes.from }
  expect((await countSealed(one.ctx, swapped)).every(({ done, lost }) => done === 0 && lost === 0)).toBe(true)

  const { values } = await readStored({ db: one.ctx.db, config: { ...one.ctx.config, secretsKey: newKey } })
  expect(Object.fromEntries(values)).toEqual({ 'stripe.secret_key': 'sk_test_3', 'company.name': 'sk_test_3' })
  const { rows } = await one.ctx.pool.query(`
    select (select sealed from setting_versions where key = 'stripe.secret_key' and version = 1) as version,
      (select sealed_text from mails where subject = 'One') as mail, (select totp_secret from users) as totp,
      (select value -> 'secrets' -> 1 ->> 'sealed' from instance_settings where key = 'mirror.webhook') as webhook,
      (select value ->> 'endpointId' from instance_settings where key = 'mirror.webhook') as endpoint`)
  const { endpoint, ...sealed } = rows[0] as Record<string, string>
  expect(endpoint).toBe('we_1')
  expect(Object.values(sealed).map((text) => boxes.to.open(text))).toEqual([
    'sk_test_1',
    'Text of one',
    'TOTPSECRET',
    'whsec_old',
  ])
  const { rows: entries } = await one.ctx.pool.query(`select after from audit_entries where action = 'secrets.rotate'`)
  expect(entries).toEqual([
    { after: { resealed: 2 + 1 + 3 + mails + 1 + 1 + 1 + 2 + 3 + 2 + 1 + 1, already: 0, left: 0 } },
  ])

  const again = await run()
  expect(again.counts.every(({ old, lost }) => old === 0 && lost === 0)).toBe(true)
})

test('every column that holds sealed text is known', async () => {
  const { rows } = await one.ctx.pool.query(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and column_name like '%sealed%'`,
  )
  const known = sealedPlaces.map(({ column }) => column)
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
})

test('what neither key opens stops it, unless it may stay as it is', async () => {
  const stranger = await boxOf('a-stranger-of-more-than-32-characters-1234')
  const lost = stranger.seal('lost')
  await one.ctx.pool.query(`update users set totp_secret = $1`, [lost])
  await one.ctx.pool.query(`update mails set sealed_text = $1 where id = 'mail-2'`, [boxes.from.seal('again')])
  await expect(run()).rejects.toThrow('1 of two-step secrets open with neither key')
  expect((await countSealed(one.ctx, boxes))[2]).toMatchObject({ old: 1 })
  const { counts } = await run(true)
  expect(counts[2]).toMatchObject({ old: 1 })
  expect(counts[5]).toMatchObject({ lost: 1 })
  const { rows } = await one.ctx.pool.query(`select totp_secret from users`)
  expect(rows).toEqual([{ totp_secret: lost }])
})
