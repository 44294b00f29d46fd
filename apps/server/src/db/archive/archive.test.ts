import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fromFile, headOf, listArchive } from './read-archive.ts'
import { DamagedArchive, makeArchiveKey } from './sealed-file.ts'
import { key, useArchive, write } from './test/archived.ts'
import { compareTotals } from './totals.ts'

const archived = useArchive()
const list = (file: string, given = key) => listArchive(fromFile(file), given)

describe('a backup', () => {
  test('lists what was written, and holds nothing that can be read without its key', async () => {
    const listing = await list(archived.path)
    expect(listing).toEqual({ preamble: archived.written.preamble, summary: archived.written.summary })
    expect(listing.summary.tables['customers']?.rows).toBe(3000)
    expect(compareTotals(archived.written.summary.totals, listing.summary.totals)).toEqual([])
    expect(
      archived.written.summary.totals.find(({ what, key: by }) => what === 'payments net' && by === 'succeeded usd'),
    ).toEqual({
      ...{ what: 'payments net', key: 'succeeded usd', rows: 1500 },
      amount: String(Array.from({ length: 1500 }, (_, n) => 1000 + 2 * n - ((2 * n) % 3)).reduce((a, b) => a + b, 0)),
    })
    expect(readFileSync(archived.path).includes('Customer')).toBe(false)
    expect(await headOf(fromFile(archived.path))).toMatchObject({ id: 'bak_1', console: '1.0.0', format: 1 })
  })

  test('is one instant: what is written meanwhile is not in it', async () => {
    const file = join(archived.folder, 'instant.backup')
    let isWritten = false
    const made = await write(archived, file, {
      onRows() {
        if (isWritten) return
        isWritten = true
        void archived.t.ctx.pool.query(`insert into coupons (id, duration, created_at, raw, fetch_seq, fetched_at, source)
          values ('late', 'forever', now(), '{}', 1, now(), 'backfill')`)
      },
    })
    expect(made.summary.tables['coupons']?.rows ?? 0).toBe(0)
    await expect.poll(async () => (await archived.t.ctx.pool.query('select id from coupons')).rows).toHaveLength(1)
    await archived.t.ctx.pool.query(`delete from coupons where id = 'late'`)
  })

  test('that is given up ends at once and leaves its connection', async () => {
    const stop = new AbortController()
    stop.abort(new Error('given up'))
    await expect(write(archived, join(archived.folder, 'none.backup'), { signal: stop.signal })).rejects.toThrow(
      'given up',
    )
  })
})

describe('a damaged file is told, wherever it is damaged:', () => {
  const damaged = (change: (bytes: Buffer) => Buffer): string => {
    const file = join(archived.folder, 'damaged.backup')
    writeFileSync(file, change(Buffer.from(readFileSync(archived.path))))
    return file
  }

  test('cut off at any place', async () => {
    const { length } = readFileSync(archived.path)
    for (const share of [0, 0.00001, 0.001, 0.2, 0.5, 0.9, 0.999]) {
      const file = damaged((bytes) => bytes.subarray(0, Math.floor(length * share)))
      await expect(list(file), String(share)).rejects.toThrow(DamagedArchive)
    }
    await expect(list(damaged((bytes) => bytes.subarray(0, length - 1)))).rejects.toThrow('cut off')
  })

  test('one bit of any part', async () => {
    const { length } = readFileSync(archived.path)
    for (let part = 0; part < 40; part++) {
      const at = Math.floor((length - 1) * (part / 39))
      const file = damaged((bytes) => {
        bytes[at] = (bytes[at] ?? 0) ^ 1
        return bytes
      })
      await expect(list(file), `byte ${at}`).rejects.toThrow()
    }
  })

  test('more behind its end, or chunks of another order', async () => {
    await expect(list(damaged((bytes) => Buffer.concat([bytes, Buffer.from('x')])))).rejects.toThrow('follows the end')
  })

  test('another key', async () => {
    await expect(list(archived.path, makeArchiveKey())).rejects.toThrow('another backup key')
  })
})
