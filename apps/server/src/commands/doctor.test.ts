import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, execute } from '../../test/database.ts'
import { loadConfig } from '../config.ts'
import { createDatabase } from '../db/client.ts'
import { lockDataDir } from '../db/embedded/data-dir-lock.ts'
import { holdSecretsKey } from '../features/settings/index.ts'
import { openSecretBox } from '../platform/secrets.ts'
import { checkDatabase } from './doctor/database.ts'
import { fail, ok, printFindings, warn } from './doctor/finding.ts'
import { checkChromium, checkDataDir, checkNode } from './doctor/machine.ts'
import { checkMail, checkPort } from './doctor/network.ts'
import { checkCloudflare, checkMode, checkStore, checkStripe } from './doctor/providers.ts'

let dataDir: string
const servers = new Set<Server>()

async function listen(server: Server): Promise<number> {
  servers.add(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** In the words of both. */
const refusal = {
  error: { message: 'Invalid API Key provided', type: 'invalid_request_error' },
  success: false,
  errors: [{ code: 1000, message: 'Invalid API Token' }],
}

/** A provider that answers every path with what the table says, else with 401. */
const provider = (answers: Record<string, unknown>) =>
  createHttpServer((request, response) => {
    const answer = answers[request.url ?? '']
    response.writeHead(answer === undefined ? 401 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? refusal))
  })

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'agency-doctor-'))
})
afterEach(() => {
  for (const server of servers) server.close()
  servers.clear()
  rmSync(dataDir, { recursive: true, force: true })
})

test('one screen: a line for each, what to do below it, and the sum', () => {
  const findings = [
    ok('Node.js', '24.21.0'),
    warn('Builds', 'older than its sources: web app', 'npm start builds them'),
  ]
  expect(printFindings(findings)).toBe(
    [
      'ok    Node.js  24.21.0',
      'warn  Builds   older than its sources: web app',
      '               → npm start builds them',
      '',
      'Nothing is wrong, 1 to look at.',
    ].join('\n'),
  )
  expect(printFindings([ok('Disk', '9 GB free')])).toMatch(/All is well\.$/)
  expect(printFindings([...findings, fail('Mail', 'refused')])).toMatch(/1 wrong, 1 to look at\.$/)
})

describe('the machine', () => {
  test.each([
    ['24.21.0', 'ok'],
    ['26.0.0', 'ok'],
    ['20.19.0', 'fail'],
  ])('Node %s is %s', (version, state) => {
    expect(checkNode(version).state).toBe(state)
  })

  test('a data folder may be there or still to be made, but not be a file', () => {
    expect(checkDataDir({ dataDir }).map(({ state }) => state)).toEqual(['ok', 'ok'])
    expect(checkDataDir({ dataDir: join(dataDir, 'new', 'data') })[0]?.says).toMatch(/made by the first start/)
    writeFileSync(join(dataDir, 'file'), '')
    expect(checkDataDir({ dataDir: join(dataDir, 'file') })).toMatchObject([{ state: 'fail' }])
  })

  test('a missing browser is only worth a warning', () => {
    expect(checkChromium(['no-such-browser']).state).toBe('warn')
    expect(checkChromium(['no-such-browser', process.execPath])).toMatchObject({ state: 'ok', says: process.version })
  })
})

describe('the address', () => {
  test('is free', async () => {
    const port = await listen(createServer())
    for (const server of servers) await new Promise((resolve) => server.close(resolve))
    expect(await checkPort({ host: '127.0.0.1', port, dataDir })).toMatchObject({
      state: 'ok',
      says: `127.0.0.1:${port} is free`,
    })
  })

  test('is in use by this console', async () => {
    const port = await listen(createServer())
    const lock = lockDataDir(dataDir, `the console at http://127.0.0.1:${port}`)
    expect(await checkPort({ host: '127.0.0.1', port, dataDir })).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(`is served by this console \\(process ${process.pid}`),
    })
    lock.release()
  })

  test('is in use by another program, which is named', async () => {
    const port = await listen(createServer())
    const { state, says } = await checkPort({ host: '127.0.0.1', port, dataDir })
    expect(state).toBe('fail')
    expect(says).toMatch(
      process.platform === 'linux' ? `in use by process ${process.pid}: ` : 'in use by another program',
    )
  })
})

describe('providers', () => {
  test('without any the sandbox plays them', async () => {
    const config = loadConfig({}, false)
    expect(checkMode(config).says).toMatch(/^demo/)
    expect(await checkStripe(config)).toMatchObject({ state: 'ok', says: 'the sandbox' })
    expect(await checkCloudflare(config)).toMatchObject({ state: 'ok' })
  })

  test('Stripe names the account that the key opens', async () => {
    const account = {
      id: 'acct_1',
      object: 'account',
      default_currency: 'usd',
      business_profile: { name: 'Northlight' },
    }
    const port = await listen(provider({ '/v1/account': account }))
    const env = { STRIPE_SECRET_KEY: 'sk_test_abc', STRIPE_API_BASE: `http://127.0.0.1:${port}` }
    expect(await checkStripe(loadConfig(env, false))).toMatchObject({
      state: 'ok',
      says: expect.stringContaining('acct_1'),
    })
  })

  test('Stripe that refuses the key is wrong', async () => {
    const port = await listen(provider({}))
    const env = { STRIPE_SECRET_KEY: 'sk_test_abc', STRIPE_API_BASE: `http://127.0.0.1:${port}` }
    expect(await checkStripe(loadConfig(env, false))).toMatchObject({ state: 'fail' })
  })

  test('Stripe alone is missing when only Cloudflare is configured', async () => {
    expect(await checkStripe(loadConfig({ CLOUDFLARE_API_TOKEN: 'token' }, false))).toMatchObject({
      state: 'warn',
      todo: 'set STRIPE_SECRET_KEY',
    })
  })

  test("Cloudflare takes a person's token and an account's, names what it lacks, and refuses others", async () => {
    const accountId = 'a'.repeat(32)
    const check = async (answers: Record<string, unknown>) => {
      const port = await listen(provider(answers))
      const env = {
        CLOUDFLARE_API_TOKEN: 'token',
        CLOUDFLARE_ACCOUNT_ID: accountId,
        CLOUDFLARE_API_BASE: `http://127.0.0.1:${port}`,
      }
      return checkCloudflare(loadConfig(env, false))
    }
    const good = { success: true, result: { status: 'active' } }
    const zones = { '/zones?per_page=5': { success: true, result: [], result_info: { total_count: 0 } } }
    const pages = { [`/accounts/${accountId}/pages/projects`]: { success: true, result: [] } }
    const well = { state: 'ok', says: `reached, account ${accountId}, 0 zones` }
    expect(await check({ '/user/tokens/verify': good, ...zones, ...pages })).toMatchObject(well)
    expect(await check({ [`/accounts/${accountId}/tokens/verify`]: good, ...zones, ...pages })).toMatchObject(well)
    expect(await check({ '/user/tokens/verify': good })).toMatchObject({
      state: 'warn',
      says: `reached, account ${accountId}, zones not counted; the token lacks Zone Read, Pages Read`,
    })
    expect(await check({})).toMatchObject({ state: 'fail', says: 'Cloudflare refused the token (401, 401)' })
  })
})

describe('mail', () => {
  const check = async (greeting: string) => {
    const port = await listen(createServer((socket) => void socket.end(greeting)))
    return checkMail({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'console@example.com' })
  }

  test('goes to the outbox without a server', async () => {
    expect(await checkMail({ smtpUrl: undefined, mailFrom: undefined })).toMatchObject({ state: 'ok' })
  })

  test('needs a server that greets like one', async () => {
    expect(await check('220 mail.example.com ESMTP\r\n')).toMatchObject({ state: 'ok' })
    expect(await check('554 not for you\r\n')).toMatchObject({
      state: 'fail',
      says: expect.stringContaining('554 not for you'),
    })
  })
})

describe('the store for backups', () => {
  const check = (port: number) =>
    checkStore(
      loadConfig(
        {
          ...{ S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_BUCKET: 'console-backups' },
          ...{ S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' },
        },
        false,
      ),
    )

  test('is reached, or says why not', async () => {
    expect(await checkStore({ s3: undefined })).toMatchObject({ state: 'ok' })
    const status = { now: 404 }
    const port = await listen(createHttpServer((_, response) => void response.writeHead(status.now).end()))
    expect(await check(port)).toMatchObject({ state: 'ok', says: `reached, console-backups at 127.0.0.1:${port}` })
    status.now = 403
    expect(await check(port)).toMatchObject({ state: 'fail', says: expect.stringContaining('could not be asked') })
  })
})

describe('the database', () => {
  const log = pino({ level: 'silent' })
  const states = (findings: { check: string; state: string }[]) =>
    Object.fromEntries(findings.map(({ check, state }) => [check, state]))

  test('is not made by looking at it', async () => {
    const config = { ...loadConfig({}, false), dataDir }
    expect(await checkDatabase(config, log)).toMatchObject([{ state: 'ok', says: 'embedded, made by the first start' }])
  })

  test('is looked at whole, and left as it was', async () => {
    const { connectionString, drop } = await createTestDatabase()
    const config = loadConfig({ DATABASE_URL: connectionString }, false)
    expect(states(await checkDatabase(config, log))).toMatchObject({
      Migrations: 'ok',
      Totals: 'ok',
      'Admin key': 'ok',
      Webhooks: 'ok',
      Secrets: 'ok',
      'SQL console': 'ok',
    })
    await execute(
      connectionString,
      "INSERT INTO daily_revenue (day, currency, captured, net) VALUES ('2026-11-21', 'usd', 5, 5)",
    )
    expect(states(await checkDatabase(config, log))).toMatchObject({ Totals: 'fail' })
    await execute(connectionString, "UPDATE schema_migrations SET checksum = 'edited' WHERE name LIKE '0001%'")
    expect(states(await checkDatabase(config, log))).toMatchObject({ Migrations: 'fail' })
    await drop()
  })

  test('another SECRETS_KEY, a missing anchor of the audit log and refused deliveries are wrong', async () => {
    const { connectionString, drop } = await createTestDatabase()
    const open = (SECRETS_KEY: string) => ({
      ...loadConfig({ DATABASE_URL: connectionString, SECRETS_KEY }, false),
      dataDir,
    })
    const one = open('x'.repeat(32))
    expect(states(await checkDatabase(one, log))).toMatchObject({ 'Secrets key': 'ok', 'Audit anchor': 'ok' })
    const { kysely: db } = createDatabase(connectionString, { max: 1, log })
    await holdSecretsKey({ db }, await openSecretBox(one), new Date())
    await db.destroy()
    await execute(
      connectionString,
      `insert into audit_entries (at, actor_type, actor_id, actor_name, action, resource_type)
       values (now(), 'user', 'u', 'U', 'user.create', 'user')`,
    )
    expect(states(await checkDatabase(one, log))).toMatchObject({ 'Secrets key': 'ok', 'Audit anchor': 'fail' })
    expect(states(await checkDatabase(open('y'.repeat(32)), log))).toMatchObject({
      'Secrets key': 'fail',
      Webhooks: 'ok',
    })
    await execute(connectionString, `insert into webhook_refusals values ('signature', now(), now())`)
    expect(states(await checkDatabase(one, log))).toMatchObject({ Webhooks: 'fail' })
    await drop()
  })

  test('says what is in force besides the environment', async () => {
    const { connectionString, drop } = await createTestDatabase()
    const config = loadConfig({ DATABASE_URL: connectionString, SECRETS_KEY: 'x'.repeat(32) }, false)
    await execute(
      connectionString,
      `INSERT INTO settings (key, value, sealed, version, updated_at, updated_by, updated_by_name) VALUES
        ('company.name', '"Harbor & Pine"', NULL, 1, now(), 'u', 'U'), ('stripe.secret_key', NULL, 'v1.a.b.c', 1, now(), 'u', 'U')`,
    )
    let inForce = config
    const findings = await checkDatabase(config, log, (found) => {
      inForce = found
    })
    expect(inForce.settings.companyName).toBe('Harbor & Pine')
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'Secrets', state: 'fail', says: 'sealed with another key: stripe.secret_key' }),
    )
    await drop()
  })

  test('that cannot be opened is wrong, in one line', async () => {
    mkdirSync(join(dataDir, 'pg'))
    writeFileSync(join(dataDir, 'pg', 'PG_VERSION'), '9.6\n')
    const findings = await checkDatabase({ ...loadConfig({}, false), dataDir }, log)
    expect(findings).toMatchObject([{ state: 'fail', says: expect.stringMatching(/was made by PostgreSQL 9\.6/) }])
  })
})
