import { createServer, type Server } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../test/postgres.ts'
import { all, cloudflareOf, quiet } from '../../test/sandbox.ts'
import { remoteControl, type Sandbox, startSandbox, startSandboxThread } from '../index.ts'

let postgres: TestPostgres
const running: Sandbox[] = []
const noon = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await Promise.all(running.map((sandbox) => sandbox.stop()))
  await postgres?.stop()
})

async function start(databaseUrl: string, more: Partial<Parameters<typeof startSandbox>[0]> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ databaseUrl, ...quiet, now: () => noon, size: { customers: 8 }, ...more })
  running.push(sandbox)
  return sandbox
}

async function dump(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const tables = [
    'cf_zones order by id',
    'cf_projects order by name',
    'cf_domains order by name',
    'cf_deployments order by ord',
  ]
  const parts: unknown[] = []
  for (const table of tables) parts.push((await client.query(`select * from sandbox.${table}`)).rows)
  await client.end()
  return JSON.stringify(parts, null, 1)
}

test('one seed and one day make one Cloudflare; another seed another', async () => {
  const databases = await Promise.all([1, 2, 3].map(() => postgres.createDatabase()))
  await start(databases[0]!)
  await start(databases[1]!)
  await start(databases[2]!, { seed: 'another' })
  const [first, second, third] = await Promise.all(databases.map(dump))
  expect(first!.length).toBeGreaterThan(200_000)
  expect(second === first).toBe(true)
  expect(third === first).toBe(false)
})

test('a restart keeps address, token, builds and detached domains; what was being built goes on', async () => {
  const databaseUrl = await postgres.createDatabase()
  const first = await start(databaseUrl)
  const account = { account_id: first.cloudflare.accountId }
  const pages = cloudflareOf(first).pages.projects
  const built = await pages.deployments.create('cascobaycoffee', account)
  await pages.domains.delete('aegeansails.example', { ...account, project_name: 'aegeansails' })
  await first.stop()
  const before = await dump(databaseUrl)
  const second = await start(databaseUrl)
  expect(second.cloudflare).toEqual(first.cloudflare)
  expect((await dump(databaseUrl)) === before).toBe(true)
  expect(await second.control.served('aegeansails.example')).toBeNull()
  expect(await second.control.served('cascobaycoffee.example')).not.toMatchObject({ build: built.id })
  await second.advance(60_000)
  expect(await second.control.served('cascobaycoffee.example')).toMatchObject({ build: built.id })
})

test('two processes on one database are one Cloudflare, at two addresses', async () => {
  const databaseUrl = await postgres.createDatabase()
  const [one, two] = await Promise.all([start(databaseUrl), start(databaseUrl)])
  expect(one!.cloudflare.apiToken).toBe(two!.cloudflare.apiToken)
  expect(one!.cloudflare.baseUrl).not.toBe(two!.cloudflare.baseUrl)
  const account = { account_id: one!.cloudflare.accountId }
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      cloudflareOf(index % 2 ? one! : two!).pages.projects.deployments.create('cascobaycoffee', account),
    ),
  )
  expect(new Set(made.map(({ id }) => id)).size).toBe(10)
  const commits = made.map(({ deployment_trigger: { metadata } }) => metadata.commit_hash)
  expect(new Set(commits).size).toBe(10)
})

test('a port that someone else has taken meanwhile is left to them', async () => {
  const databaseUrl = await postgres.createDatabase()
  const first = await start(databaseUrl)
  await first.stop()
  const port = Number(new URL(first.cloudflare.baseUrl).port)
  const other: Server = createServer((_request, response) => response.end('mine'))
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  const second = await start(databaseUrl)
  expect(second.cloudflare.baseUrl).not.toBe(first.cloudflare.baseUrl)
  expect(await cloudflareOf(second).user.tokens.verify()).toMatchObject({ status: 'active' })
  await new Promise((resolve) => other.close(resolve))
})

test('a thread that dies is started again at its address', async () => {
  const databaseUrl = await postgres.createDatabase()
  const thread = await startSandboxThread({ databaseUrl, ...quiet, size: { customers: 2 } })
  const list = () =>
    cloudflareOf(thread)
      .zones.list()
      .then(
        ({ result }) => result.length,
        () => -1,
      )
  const before = await list()
  expect(before).toBeGreaterThan(5)
  await remoteControl(thread.stripe).crash()
  await expect.poll(list).toBe(-1)
  await expect.poll(list).toBe(before)
  await thread.stop()
  await expect.poll(list).toBe(-1)
})

test('five hundred zones are at Cloudflare when it is told so', async () => {
  const databaseUrl = await postgres.createDatabase()
  const sandbox = await start(databaseUrl, { size: { customers: 2, zones: 500 } })
  const before = sandbox.requestLog().length
  const zones = await all(cloudflareOf(sandbox).zones.list({ per_page: 50 }))
  expect(new Set(zones.map(({ id }) => id)).size).toBe(499)
  expect(sandbox.requestLog().length - before).toBeLessThanOrEqual(11)
})
