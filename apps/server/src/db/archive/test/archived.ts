import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/context.ts'
import { insertRows } from '../../../../test/rows.ts'
import { makeArchiveKey } from '../sealed-file.ts'
import { type WrittenArchive, writeArchive } from '../write-archive.ts'

export const key = makeArchiveKey()
export const never = () => new AbortController().signal

type Archived = { t: TestContext; folder: string; path: string; written: WrittenArchive }

export const write = ({ t }: Pick<Archived, 't'>, path: string, { signal = never(), onRows = () => {} } = {}) =>
  writeArchive({
    ...{ connection: t.ctx.pool.options, path, key, id: 'bak_1', console: '1.0.0', now: new Date(), signal, onRows },
  })

/** A database with rows of many forms, and a backup of it. */
export function useArchive(): Archived {
  const archived = {} as Archived
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'archive-'))
    const t = await createTestContext()
    const { pool } = t.ctx
    const odd = `a\tb\nc\\d 'e' "f" \\. \\N é 漢字 ${'x'.repeat(50_000)}`
    await insertRows(
      pool,
      'customers',
      Array.from({ length: 3000 }, (_, n) => ({ id: `cus_${n}`, name: n === 7 ? odd : `Customer ${n}` })),
    )
    await insertRows(
      pool,
      'payments',
      Array.from({ length: 3000 }, (_, n) => ({
        ...{ id: `pi_${n}`, customer_id: `cus_${n % 50}`, amount: 1000 + n, amount_captured: 1000 + n },
        ...{ amount_refunded: n % 3, currency: n % 2 === 0 ? 'usd' : 'jpy' },
      })),
    )
    await pool.query(`insert into audit_entries (at, actor_type, actor_id, actor_name, action, resource_type)
      select now(), 'user', 'u', 'U', 'user.create', 'user' from generate_series(1, 20)`)
    await pool.query(`select make_site_probe_day(now()), make_site_probe_day(now() + interval '1 day')`)
    const path = join(folder, 'one.backup')
    Object.assign(archived, { t, folder, path, written: await write({ t }, path) })
  })
  afterAll(async () => {
    await archived.t?.close()
    rmSync(archived.folder, { recursive: true, force: true })
  })
  return archived
}
