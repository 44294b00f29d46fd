import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../connect.ts'
import { explainOutput, freeMegabytes } from './failures.ts'

const parent = mkdtempSync(join(tmpdir(), 'agency-failures-'))
const disk = join(parent, 'disk')
const config = { dataDir: join(disk, 'data'), databaseUrl: undefined, host: '127.0.0.1', port: 3000 }
const log = pino({ level: 'silent' })

/** A real disk of 160 MB; mounting one takes rights that not every machine gives, and then only the words are tested. */
const isMounted = mount()

function mount(): boolean {
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

beforeAll(() => chmodSync(parent, 0o755))
afterAll(() => {
  // At once, whoever still uses it: what stays mounted cannot be removed by this run nor by the next one.
  if (isMounted) execFileSync('umount', ['-l', disk])
  rmSync(parent, { recursive: true, force: true })
})

const fillUpTo = (megabytes: number) =>
  writeFileSync(join(disk, 'ballast'), Buffer.alloc((freeMegabytes(disk) - megabytes) * 2 ** 20))
const fullDisk =
  /^The disk of DATA_DIR .*disk\/data is full: \d+ MB are free; free some space there, or choose another DATA_DIR$/

describe.runIf(isMounted)('a full disk', () => {
  test('refuses to make a database, runs once there is room, and refuses to start when it is full again', async () => {
    fillUpTo(20)
    await expect(openDatabase(config, log)).rejects.toThrow(fullDisk)
    rmSync(join(disk, 'ballast'))
    const database = await openDatabase(config, log)
    await database.stop()
    fillUpTo(0)
    await expect(openDatabase(config, log)).rejects.toThrow(fullDisk)
    rmSync(join(disk, 'ballast'))
    await (await openDatabase(config, log)).stop()
  })
})

test.each([
  [
    'FATAL:  could not write lock file "postmaster.pid": No space left on device',
    /^The disk of DATA_DIR .* is full: \d+ MB are free/,
  ],
  ['PANIC:  could not write to file "pg_wal/xlogtemp.12": No space left on device', /^The disk of DATA_DIR .* is full/],
  [
    '2026-11-21 09:00:00.000 UTC [7] LOG:  starting\n2026-11-21 09:00:00.000 UTC [7] FATAL:  pre-existing shared memory block is still in use\nHINT:  terminate it',
    /^The embedded database in .* did not start: postgres: pre-existing shared memory block is still in use$/,
  ],
  ['', /^The embedded database in .* did not start: postgres: it said nothing$/],
])('%j becomes one line', (output, expected) => {
  const { message } = explainOutput('postgres', output, parent)
  expect(message).toMatch(expected)
  expect(message).not.toContain('\n')
})
