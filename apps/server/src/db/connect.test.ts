import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import pino from 'pino'
import { expect, test } from 'vitest'
import { createEmptyDatabase } from '../../test/database.ts'
import { openDatabase } from './connect.ts'

const log = pino({ level: 'silent' })
const open = (databaseUrl: string, patienceMs: number) =>
  openDatabase({ dataDir: '/nowhere', databaseUrl, host: '127.0.0.1', port: 3000 }, log, { patienceMs })

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port
}

test('opens the database of DATABASE_URL and leaves it running', async () => {
  const { connectionString, drop } = await createEmptyDatabase()
  const database = await open(connectionString, 0)
  expect(database).toMatchObject({ connectionString, embedded: false })
  await database.stop()
  await (await open(connectionString, 0)).stop()
  await drop()
})

test('says in one line, without the password, that the server cannot be reached', async () => {
  const server = createServer()
  const port = await listening(server)
  server.close()
  const started = performance.now()
  await expect(open(`postgres://agency:hunter2@127.0.0.1:${port}/agency`, 700)).rejects.toThrow(
    new RegExp(`^DATABASE_URL 127.0.0.1:${port}/agency cannot be used: connect ECONNREFUSED 127.0.0.1:${port}$`),
  )
  expect(performance.now() - started).toBeGreaterThan(650)
})

test('waits for a server that comes up later', async () => {
  const { connectionString, drop } = await createEmptyDatabase()
  const real = new URL(connectionString)
  const socketDir = real.searchParams.get('host')
  const target = socketDir
    ? { path: join(socketDir, `.s.PGSQL.${real.port}`) }
    : { host: real.hostname, port: Number(real.port) }
  const late = createServer((client) => {
    const server = connect(target)
    client.pipe(server).pipe(client)
  })
  const port = await listening(late)
  late.close()

  const url = new URL(`postgres://${real.username}:${real.password}@127.0.0.1:${port}${real.pathname}?sslmode=disable`)
  const opening = open(url.href, 10_000)
  setTimeout(() => late.listen(port, '127.0.0.1'), 300)
  expect((await opening).connectionString).toBe(url.href)
  late.close()
  await drop()
})

test('does not wait for a server that refuses', async () => {
  const { connectionString, drop } = await createEmptyDatabase()
  const url = new URL(connectionString)
  url.pathname = '/no_such_database'
  await expect(open(url.href, 3_600_000)).rejects.toThrow(
    /no_such_database cannot be used: database "no_such_database" does not exist$/,
  )
  await drop()
})
