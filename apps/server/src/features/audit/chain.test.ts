import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  anchor,
  cutBehind,
  entryAt,
  setHeadBack,
  tamper,
  verify,
  verifyQuietly,
  writeEntries,
} from '../../../test/audit-log.ts'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { createHeadKeeper } from './head-keeper.ts'

let folder: string
let t: TestContext

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-heads-'))
  t = await createTestContext({ env: { DATA_DIR: folder } })
  await writeEntries(t, 20)
})
afterAll(async () => {
  await t?.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  await rm(heads(), { force: true })
  await t.ctx.db.deleteFrom('audit_anchors').execute()
})

const heads = () => join(folder, 'audit-heads.log')
const countLinks = async (): Promise<number> =>
  (await t.ctx.pool.query('select count(*) as links from audit_chain')).rows[0].links

describe('the chain', () => {
  test('has no gap and no fork when many write at once', async () => {
    const before = await countLinks()
    const inTwos = (writer: number) =>
      inTransaction(asSystem(t.ctx, 'job', `writer ${writer}`), async (tx) => {
        for (const id of ['a', 'b']) await recordAudit(tx, { action: 'user.update', resource: 'user', id })
      })
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        await writeEntries(t, 50, `writer ${writer}`)
        await inTwos(writer)
      }),
    )
    const expected = before + 8 * 52
    const { rows } = await t.ctx.pool.query(
      'select count(*) as links, max(seq) as last, count(distinct entry_id) as entries from audit_chain',
    )
    expect(rows[0]).toEqual({ links: expected, last: expected, entries: expected })
    await anchor(t)
    expect(await verify(t)).toMatchObject({ state: 'intact', finding: null })
  })

  test('knows nothing of what was rolled back', async () => {
    const count = async () =>
      (
        await t.ctx.pool.query(
          'select (select count(*) from audit_entries) as e, (select max(seq) from audit_chain) as c',
        )
      ).rows
    const before = await count()
    const undone = inTransaction(asSystem(t.ctx, 'job', 'test'), async (tx) => {
      await recordAudit(tx, { action: 'user.update', resource: 'user', id: 'u' })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await count()).toEqual(before)
    await writeEntries(t, 1)
    await anchor(t)
    expect(await verify(t)).toMatchObject({ state: 'intact' })
  })

  test.each([
    `update audit_entries set action = 'x'`,
    'delete from audit_entries',
    'truncate audit_entries',
    `update audit_chain set hash = ''`,
    'delete from audit_chain',
    'truncate audit_chain',
    'delete from audit_head',
  ])('is append-only: %s', async (statement) => {
    await expect(t.ctx.pool.query(statement)).rejects.toThrow('audit entries are append-only')
  })
})

describe('the head outside the database', () => {
  const read = async () =>
    (await readFile(heads(), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

  test('is written at the start, after changes and at the stop, each place once', async () => {
    const keeper = createHeadKeeper(t.ctx)
    await keeper.start()
    const start = await countLinks()
    expect(await read()).toMatchObject([{ seq: start }])
    await writeEntries(t, 3)
    await eventually(async () => expect((await read()).at(-1)).toMatchObject({ seq: start + 3 }))
    await writeEntries(t, 1)
    await keeper.stop()
    const all = await read()
    expect(all.at(-1)).toMatchObject({ seq: start + 4, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(new Set(all.map(({ seq }) => seq)).size).toBe(all.length)
  })

  test('keeps the newest when the file grows long', async () => {
    await writeFile(heads(), `${'x'.repeat(99)}\n`.repeat(10_600))
    const keeper = createHeadKeeper(t.ctx)
    await keeper.start()
    await keeper.stop()
    const text = await readFile(heads(), 'utf8')
    expect(text.length).toBeLessThan(600_000)
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ seq: await countLinks() })
  })

  test('shows that a tail was cut off, and that an entry was altered', async () => {
    const keeper = createHeadKeeper(t.ctx)
    await keeper.start()
    const last = await countLinks()
    const id = await entryAt(t, 7)
    await tamper(t, ...cutBehind(15), setHeadBack)
    const { finding } = await verifyQuietly(t)
    expect(finding).toMatchObject({ kind: 'cut', seq: 16, entry_id: null })
    expect(finding?.message).toContain(`had come to ${last.toLocaleString('en-US')}`)
    await keeper.stop()
    await tamper(t, `update audit_entries set actor_name = 'Nobody' where id = ${id}`)
    expect((await verify(t)).finding).toMatchObject({ kind: 'altered', seq: 7, entry_id: id })
  })
})
