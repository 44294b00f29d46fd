import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBinaries, removeOldCopies } from './binaries.ts'

let parent: string
let dataDir: string
// A stranger to these folders, whoever runs the test.
const account = { uid: 60_001, gid: 60_001 }

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'agency-binaries-'))
  chmodSync(parent, 0o711)
  dataDir = join(parent, 'data')
  mkdirSync(dataDir, { mode: 0o711 })
  mkdirSync(join(parent, 'installed', 'bin'), { recursive: true })
  mkdirSync(join(parent, 'installed', 'lib'))
  writeFileSync(join(parent, 'installed', 'bin', 'postgres'), '', { mode: 0o755 })
  writeFileSync(join(parent, 'installed', 'lib', 'libpq.so.5.18'), '')
  writeFileSync(join(parent, 'installed', 'lib', 'libpq.a'), '')
  symlinkSync('libpq.so.5.18', join(parent, 'installed', 'lib', 'libpq.so.5'))
})

afterEach(() => rmSync(parent, { recursive: true, force: true }))

const find = (version = '18.4') =>
  findBinaries(dataDir, account, undefined, { folder: join(parent, 'installed'), version })

test('programs that the account can reach are used where they are', async () => {
  expect((await find()).postgres).toBe(join(parent, 'installed', 'bin', 'postgres'))
  expect(readdirSync(dataDir)).toEqual([])
})

test('programs below a folder that the account cannot enter are copied, once, without what is only for compiling', async () => {
  chmodSync(join(parent, 'installed'), 0o700)
  const copy = join(dataDir, 'postgresql-18.4')
  expect((await find()).postgres).toBe(join(copy, 'bin', 'postgres'))
  expect(readdirSync(join(copy, 'lib')).sort()).toEqual(['libpq.so.5', 'libpq.so.5.18'])
  rmSync(join(parent, 'installed', 'bin'), { recursive: true })
  mkdirSync(join(parent, 'installed', 'bin'), { mode: 0o700 })
  expect((await find()).postgres).toBe(join(copy, 'bin', 'postgres'))
  expect(existsSync(join(copy, 'bin', 'postgres'))).toBe(true)
  expect(readdirSync(dataDir)).toEqual(['postgresql-18.4'])
})

test('copies of other versions go away', async () => {
  chmodSync(join(parent, 'installed'), 0o700)
  await find('18.3')
  await find('18.4')
  await removeOldCopies(dataDir, '18.4')
  expect(readdirSync(dataDir)).toEqual(['postgresql-18.4'])
})
