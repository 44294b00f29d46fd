import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ask, type StandIn, startStandIn } from '../../../test/stand-in.ts'
import { attachOrStart, openDatabase } from '../connect.ts'
import { canReach } from './account.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { isAlive, readPostmaster } from './postmaster.ts'

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }
const parent = mkdtempSync(join(tmpdir(), 'agency-lock-'))
const log = pino({ level: 'silent' })
const config = (dataDir: string) => ({ dataDir, databaseUrl: undefined, host: '127.0.0.1', port: 3001 })

beforeAll(() => chmodSync(parent, 0o755))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

/** The same life of a DATA_DIR, whoever runs the console. */
function describeConsole(who: string, account: { uid?: number; gid?: number }): void {
  describe(`consoles run by ${who}`, () => {
    const dataDir = join(parent, who.replaceAll(' ', '-'), 'data')
    const started = new Set<StandIn>()
    const start = async () => {
      const standIn = await startStandIn(dataDir, account)
      started.add(standIn)
      return standIn
    }

    beforeAll(() => {
      mkdirSync(join(dataDir, '..'), { mode: account.uid === undefined ? 0o755 : 0o777 })
      chmodSync(join(dataDir, '..'), 0o777)
    })
    afterEach(async () => {
      await Promise.all([...started].map((standIn) => standIn.stop()))
      started.clear()
    })

    test('the second is refused in one line that names the first', async () => {
      const first = await start()
      await expect(start()).rejects.toThrow(
        new RegExp(
          `^DATA_DIR ${dataDir} is in use by the console at http://127.0.0.1:3000 \\(process ${first.child.pid}, since 20[^)]+Z\\); [^\\n]+$`,
        ),
      )
      expect(await ask(first.connectionString, '1')).toBe(1)
    })

    test('SIGTERM ends everything, with status 0', async () => {
      const standIn = await start()
      const postmaster = readPostmaster(join(dataDir, 'pg'))?.pid as number
      expect(isAlive(postmaster)).toBe(true)
      expect(await standIn.stop()).toBe(0)
      expect(isAlive(postmaster)).toBe(false)
    })

    test('kill -9 frees the folder and leaves a database that the next takes over', async () => {
      const killed = await start()
      const postmaster = readPostmaster(join(dataDir, 'pg'))?.pid as number
      await killed.kill()
      expect(isAlive(postmaster)).toBe(true)
      const next = await start()
      expect(readPostmaster(join(dataDir, 'pg'))?.pid).toBe(postmaster)
      await next.stop()
      expect(isAlive(postmaster)).toBe(false)
    })

    test('of many that start at once, one runs', async () => {
      const attempts = await Promise.allSettled([start(), start(), start()])
      expect(attempts.map((attempt) => attempt.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    })
  })
}

describeConsole('us', {})
// The project itself may lie where an ordinary account cannot read it.
if (isRoot && canReach(fileURLToPath(new URL('.', import.meta.url)), nobody))
  describeConsole('an ordinary user', nobody)

describe('commands', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = join(mkdtempSync(join(parent, 'commands-')), 'data')
    chmodSync(join(dataDir, '..'), 0o755)
  })

  test('use the database of the running console and leave it running', async () => {
    const running = await startStandIn(dataDir)
    const database = await attachOrStart(config(dataDir), 'npm run doctor', log)
    expect(database.connectionString).toBe(running.connectionString)
    await database.stop()
    expect(await ask(running.connectionString, '1')).toBe(1)
    await running.stop()
  })

  test('start it for themselves when no console runs, and are named as the holder', async () => {
    const database = await attachOrStart(config(dataDir), 'npm run admin-key', log)
    expect(await ask(database.connectionString, '1')).toBe(1)
    await expect(openDatabase(config(dataDir), log)).rejects.toThrow(
      /is in use by npm run admin-key \(process \d+, since /,
    )
    await database.stop()
    const again = await openDatabase(config(dataDir), log)
    await again.stop()
  })
})

test('a lock that is released can be taken again', () => {
  const dataDir = join(parent, 'lock')
  lockDataDir(dataDir, 'first').release()
  lockDataDir(dataDir, 'second').release()
})
