import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAuthority, makeHostCertificate } from '@agency/sandbox/certificates'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../test/database.ts'
import { type Front, startTlsFront } from '../../test/tls-front.ts'
import { loadConfig } from '../config.ts'
import { createDatabase } from './client.ts'
import { openDatabase } from './connect.ts'

const log = pino({ level: 'silent' })
const day = 86_400_000
let database: TestDatabase
let folder: string
let fronts: Record<'both' | 'encrypted' | 'plain' | 'otherName', Front>

beforeAll(async () => {
  database = await createEmptyDatabase()
  folder = await mkdtemp(join(tmpdir(), 'tls-'))
  const now = Date.now()
  const [authority, stranger] = await Promise.all([makeAuthority(now), makeAuthority(now)])
  await writeFile(join(folder, 'root.pem'), authority.certificate)
  await writeFile(join(folder, 'stranger.pem'), stranger.certificate)
  const certified = async (name: string) => ({
    key: authority.hosts.privateKey,
    cert: await makeHostCertificate(authority, { hosts: [name], from: now - day, to: now + day }),
  })
  const own = await certified('localhost')
  const start = (options: Parameters<typeof startTlsFront>[1]) => startTlsFront(database.connectionString, options)
  fronts = {
    both: await start(own),
    encrypted: await start({ ...own, take: 'encrypted' }),
    plain: await start({ ...own, take: 'plain' }),
    otherName: await start(await certified('db.example.com')),
  }
})

afterAll(async () => {
  for (const front of Object.values(fronts)) front.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

/** How the console is connected to the server then, or why it is not. */
async function connect(front: Front, env: Record<string, string>, parameters = ''): Promise<string> {
  const databaseUrl = `${front.url}${parameters.replaceAll('FOLDER', encodeURIComponent(folder))}`
  const config = loadConfig({ DATABASE_URL: databaseUrl, ...env }, false)
  try {
    const { connectionString } = await openDatabase(config, log, { patienceMs: 0 })
    front.encrypted.length = 0
    const { kysely, pool } = createDatabase(connectionString, { max: 1, min: 0 })
    await pool.query('select 1').finally(() => kysely.destroy())
    return front.encrypted[0] ? 'encrypted' : 'plain'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const root = 'sslrootcert=FOLDER%2Froot.pem'
const stranger = 'sslrootcert=FOLDER%2Fstranger.pem'
const untrusted = /cannot be used: (self-signed certificate in certificate chain|unable to verify|unable to get)/
const otherName = /cannot be used: Hostname\/IP does not match/
const noTls = /cannot be used: The server does not support SSL connections$/
const noEntry = /cannot be used: no pg_hba.conf entry/

describe.each<[mode: string, parameters: string, by: Partial<Record<keyof typeof fronts, string | RegExp>>]>([
  ['no mode', '', { both: 'encrypted', encrypted: 'encrypted', plain: 'plain', otherName: 'encrypted' }],
  ['disable', '?sslmode=disable', { both: 'plain', encrypted: noEntry, plain: 'plain' }],
  ['allow', '?sslmode=allow', { both: 'plain', encrypted: 'encrypted', plain: 'plain' }],
  ['prefer', '?sslmode=prefer', { both: 'encrypted', encrypted: 'encrypted', plain: 'plain' }],
  ['require', '?sslmode=require', { both: 'encrypted', encrypted: 'encrypted', plain: noTls, otherName: 'encrypted' }],
  ['require, with its authority', `?sslmode=require&${root}`, { both: 'encrypted', otherName: 'encrypted' }],
  ['require, with another authority', `?sslmode=require&${stranger}`, { both: untrusted }],
  ['verify-ca', `?sslmode=verify-ca&${root}`, { both: 'encrypted', plain: noTls, otherName: 'encrypted' }],
  ['verify-ca, with another authority', `?sslmode=verify-ca&${stranger}`, { both: untrusted }],
  ['verify-full', `?sslmode=verify-full&${root}`, { both: 'encrypted', plain: noTls, otherName }],
  ['verify-full, without an authority', '?sslmode=verify-full', { both: untrusted }],
  ['verify-full, with those of the system', '?sslrootcert=system', { both: untrusted }],
])('%s', (_, parameters, by) => {
  test.each(Object.entries(by))('at a server: %s', async (name, outcome) => {
    const said = await connect(fronts[name as keyof typeof fronts], {}, parameters)
    if (outcome instanceof RegExp) expect(said).toMatch(outcome)
    else expect(said).toBe(outcome)
  })
})

test('takes what the address leaves out from the variables of psql', async () => {
  const env = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: join(folder, 'root.pem') }
  expect(await connect(fronts.both, env)).toBe('encrypted')
  expect(await connect(fronts.otherName, env)).toMatch(otherName)
  expect(await connect(fronts.plain, env, '?sslmode=disable')).toBe('plain')
})

test.each([
  ['?sslmode=on', 'sslmode of DATABASE_URL must be one of disable, allow, prefer, require, verify-ca, verify-full'],
  ['?sslmode=verify-ca', 'sslmode=verify-ca of DATABASE_URL needs sslrootcert'],
  ['?sslmode=require&sslrootcert=system', 'sslrootcert=system of DATABASE_URL needs sslmode=verify-full'],
  ['?sslmode=require&sslrootcert=/nowhere.pem', 'sslrootcert of DATABASE_URL, /nowhere.pem, cannot be read'],
])('says in one line what is wrong with %s', async (parameters, line) => {
  const said = await connect(fronts.both, {}, parameters)
  expect(said).toContain(line)
  expect(said).not.toContain('\n')
})
