import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  anchor,
  cutBehind,
  entryAt,
  rechain,
  setHeadBack,
  tamper,
  verify,
  verifyQuietly,
  writeEntries,
} from '../../../test/audit-log.ts'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { asSystem } from '../../context.ts'
import { openSecretBox } from '../../platform/secrets.ts'
import { reseal } from '../settings/index.ts'

const oldKey = 'the-secrets-key-of-before-1234567890'
const newKey = 'the-secrets-key-of-from-now-on-1234567890'

let folder: string
let t: TestContext
const opened: TestContext[] = []

async function open(
  more: Partial<Parameters<typeof createTestContext>[0]> = {},
  dataDir = folder,
): Promise<TestContext> {
  const test = await createTestContext({ ...more, env: { DATA_DIR: dataDir, SECRETS_KEY: oldKey, ...more?.env } })
  opened.push(test)
  return test
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-anchor-'))
  t = await open()
  await writeEntries(t, 8)
})
afterEach(async () => {
  for (const test of opened.splice(0).reverse()) await test.close()
  await rm(folder, { recursive: true })
})

const file = (dataDir = folder) => join(dataDir, 'audit-heads.log')
const linesOf = async (dataDir = folder) =>
  (await readFile(file(dataDir), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const bell = async () => (await request(t.ctx).as('super_admin').get('/notifications')).json().notifications[0]

/** Changes an entry and everything behind it, so that only something outside can tell. */
const forge = async (seq: number) =>
  tamper(t, `update audit_entries set actor_name = 'Nobody' where id = ${await entryAt(t, seq)}`, rechain(seq))

describe('without an anchor outside the database, verify says so', () => {
  const noAnchor = { state: 'no_anchor', finding: { kind: 'no_anchor', seq: null, entry_id: null } }

  test('when none was ever written', async () => {
    const { finding } = await verifyQuietly(t)
    expect(finding).toMatchObject({ kind: 'no_anchor' })
    expect(finding?.message).toContain('There is no audit-heads.log in the data folder.')
  })

  test('when the file was deleted, with a bell, and is intact again once it was told and heads are written', async () => {
    await anchor(t)
    expect(await verify(t)).toMatchObject({ state: 'intact' })
    await rm(file())
    const verification = await verify(t)
    expect(verification).toMatchObject(noAnchor)
    expect(verification.finding?.message).toContain('are gone: audit-heads.log is missing')
    expect(verification.finding?.message).not.toMatch(/remove|delete/i)
    expect(await bell()).toMatchObject({ title: 'The audit log has no anchor', body: verification.finding?.message })
    await anchor(t)
    expect(await verify(t)).toMatchObject({ state: 'intact' })
  })

  test('when the file was deleted and is written again before anybody looks', async () => {
    await anchor(t)
    await rm(file())
    await writeEntries(t, 1)
    await anchor(t)
    expect(await linesOf()).toHaveLength(1)
    expect(await verify(t)).toMatchObject(noAnchor)
  })

  test('when its first or its last lines were taken out', async () => {
    await anchor(t)
    await writeEntries(t, 1)
    await anchor(t)
    const [first, last] = (await readFile(file(), 'utf8')).trimEnd().split('\n')
    for (const left of [first, last]) {
      await writeFile(file(), `${left}\n`)
      expect(await verify(t)).toMatchObject(noAnchor)
      await writeFile(file(), `${first}\n${last}\n`)
      await anchor(t)
      await verify(t)
    }
  })

  test('when it holds the heads of another database only', async () => {
    const other = await open()
    await rm(file(), { force: true })
    await writeEntries(other, 8)
    await anchor(other)
    const { finding } = await verifyQuietly(t)
    expect(finding?.message).toContain('audit-heads.log holds no head of this database.')
  })

  test('when heads went on in another folder, as in a container without a lasting disk', async () => {
    await anchor(t)
    await writeEntries(t, 2)
    const moved = await open({ database: t.database }, join(folder, 'moved'))
    await anchor(moved)
    const verification = await verify(moved)
    expect(verification).toMatchObject(noAnchor)
    expect(verification.finding?.message).toContain('up to place 8')
    expect(await verify(moved)).toMatchObject({ state: 'intact' })
  })

  test('but not when another machine writes its own beside it', async () => {
    await anchor(t)
    const beside = await open({ database: t.database }, join(folder, 'beside'))
    await anchor(beside)
    await writeEntries(t, 2)
    await anchor(t)
    expect(await verify(beside)).toMatchObject({ state: 'intact' })
    expect(await verify(t)).toMatchObject({ state: 'intact' })
  })

  test('when nothing was written to it for an hour although the log has grown', async () => {
    await anchor(t)
    await writeEntries(t, 2)
    expect(await verifyQuietly(t)).toMatchObject({ state: 'intact' })
    await t.ctx.pool.query('delete from audit_verifications')
    t.clock.advance(2 * 3_600_000)
    expect((await verifyQuietly(t)).finding?.message).toContain('No head was written')
  })

  test('and a folder that is not there yet is made, also beside an external database', async () => {
    const dataDir = join(folder, 'not', 'there')
    const external = await open({ env: { DATABASE_URL: t.database.connectionString }, database: t.database }, dataDir)
    await anchor(external)
    expect(await linesOf(dataDir)).toMatchObject([{ seq: 8 }])
  })
})

describe('a sealed head finds', () => {
  beforeEach(() => anchor(t))

  test('a chain that was made anew with fitting hashes', async () => {
    await forge(3)
    expect(await verifyQuietly(t)).toMatchObject({ state: 'broken', finding: { kind: 'head', seq: 8 } })
  })

  test('a chain that was cut, its head set back', async () => {
    await tamper(t, ...cutBehind(5), setHeadBack)
    const { finding } = await verifyQuietly(t)
    expect(finding).toMatchObject({ kind: 'cut', seq: 6 })
    expect(finding?.message).not.toMatch(/remove|delete/i)
  })

  test('that its own line was changed to fit a chain that was made anew', async () => {
    await forge(3)
    const { rows } = await t.ctx.pool.query(`select encode(hash, 'hex') as hash from audit_head`)
    const [line] = await linesOf()
    await writeFile(file(), `${JSON.stringify({ ...line, hash: rows[0].hash })}\n`)
    const verification = await verifyQuietly(t)
    expect(verification).toMatchObject({ state: 'broken', finding: { kind: 'anchor' } })
    expect(verification.finding?.message).toContain('Line 1 of audit-heads.log does not fit its seal')
  })

  test('nothing wrong with half a line, as a machine leaves it that died', async () => {
    await writeFile(file(), `${await readFile(file(), 'utf8')}{"at":"2026-`)
    expect(await verifyQuietly(t)).toMatchObject({ state: 'intact' })
  })

  test('no key of its own among what else is sealed with SECRETS_KEY', async () => {
    const box = await openSecretBox({ secretsKey: oldKey, dataDir: folder })
    await t.ctx.pool.query(`update audit_seal_keys set sealed = $1`, [box.seal('a text that somebody knows')])
    expect(await verifyQuietly(t)).toMatchObject({ state: 'no_anchor' })
  })
})

test('a new SECRETS_KEY invalidates nothing that was sealed before, and seals with another key from then on', async () => {
  await anchor(t)
  await t.hearNoMore()
  const [from, to] = await Promise.all(
    [oldKey, newKey].map((secretsKey) => openSecretBox({ secretsKey, dataDir: '/' })),
  )
  if (!from || !to) throw new Error('no boxes')
  await reseal(asSystem(t.ctx, 'job', 'test'), { from, to }, { leavesLost: false, tell: () => {} })
  const next = await open({ database: t.database, env: { SECRETS_KEY: newKey } })
  await anchor(next)
  const [before, after, ...more] = await linesOf()
  expect(more).toEqual([])
  expect(after).toMatchObject({ anchor: before.anchor, seq: before.seq + 1 })
  expect(after.key).not.toBe(before.key)
  expect(await verifyQuietly(next)).toMatchObject({ state: 'intact' })
  await next.ctx.pool.query('delete from audit_verifications')
  await writeFile(
    file(),
    `${JSON.stringify({ ...before, at: '2020-01-01T00:00:00.000Z' })}\n${JSON.stringify(after)}\n`,
  )
  expect(await verifyQuietly(next)).toMatchObject({ state: 'broken', finding: { kind: 'anchor' } })
})

test('the first head stays when the file grows long: its absence would mean a loss', async () => {
  await anchor(t)
  const [first] = await linesOf()
  await writeFile(file(), `${JSON.stringify(first)}\n${`${'x'.repeat(99)}\n`.repeat(10_600)}`)
  await writeEntries(t, 1)
  await anchor(t)
  const text = await readFile(file(), 'utf8')
  expect(text.length).toBeLessThan(600_000)
  expect(JSON.parse(text.split('\n')[0] ?? '')).toEqual(first)
  expect(await verifyQuietly(t)).toMatchObject({ state: 'intact' })
})

test('heads from before they were sealed are taken over once, as they are', async () => {
  const { rows } = await t.ctx.pool.query(
    `select seq, encode(hash, 'hex') as hash from audit_chain where seq in (2, 5) order by seq`,
  )
  const plain = rows.map(({ seq, hash }) => ({ at: '2026-01-01T00:00:00.000Z', database: 'embedded', seq, hash }))
  const foreign = { ...plain[0], database: 'db.example.com/agency', hash: 'a'.repeat(64) }
  await writeFile(file(), [...plain, foreign].map((line) => `${JSON.stringify(line)}\n`).join(''))
  await anchor(t)
  expect((await linesOf()).slice(3)).toMatchObject([{ seq: 2 }, { seq: 5 }, { seq: 8, seal: expect.any(String) }])
  expect(await verifyQuietly(t)).toMatchObject({ state: 'intact' })
  await t.ctx.pool.query('delete from audit_verifications')
  await forge(4)
  expect(await verifyQuietly(t)).toMatchObject({ finding: { kind: 'head', seq: 5 } })
})

test('the security check tells a missing anchor, and that no head leaves the machine', async () => {
  const check = async () => {
    const { run } = (await request(t.ctx).as('super_admin').post('/admin/security/checks')).json()
    return run.findings.find(({ id }: { id: string }) => id === 'audit_anchor')
  }
  expect(await check()).toMatchObject({ state: 'error', finding: expect.stringContaining('No anchor: There is no') })
  await anchor(t)
  expect(await check()).toMatchObject({ state: 'advice' })
  await rm(file())
  expect(await check()).toMatchObject({
    state: 'error',
    finding: expect.stringContaining('No anchor: The heads up to'),
  })
})
