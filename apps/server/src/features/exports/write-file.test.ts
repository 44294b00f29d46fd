import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeFile } from './write-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-file-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const columns = [{ title: 'Number', name: 'number', type: 'integer', width: 1, value: (row: unknown) => row as number }]

const orderOf = (path: string) => ({
  ...{ path, format: 'csv' as const, title: 'Numbers', subtitle: null, company: 'Test', timeZone: 'UTC' },
  ...{ madeAt: '2026-11-30T00:00:00Z', charts: [] },
  columns: columns.map(({ value: _, ...column }) => column) as [],
})

const writing = (path: string, rows: AsyncIterable<number[]>) => ({
  ...{ order: orderOf(path), columns: columns as never, rows, onRows: () => {} },
  signal: new AbortController().signal,
})

test('a batch is read when the one before it is in the file', async () => {
  const path = join(folder, 'in-turn.csv')
  const missing: number[] = []
  async function* rows() {
    for (let n = 1; n <= 30; n++) {
      if (n > 1 && !(await readFile(path, 'utf8')).includes(`\n${n - 1}\r\n`)) missing.push(n - 1)
      yield [n]
    }
  }
  expect(await writeFile(writing(path, rows()))).toMatchObject({ rows: 30 })
  expect(missing).toEqual([])
})

test('no more is read once the writer has ended', async () => {
  let read = 0
  async function* rows() {
    for (; read < 1000; read++) yield [read]
  }
  const nowhere = join(folder, 'no', 'such', 'folder', 'numbers.csv')
  await expect(writeFile(writing(nowhere, rows()))).rejects.toThrow(/ENOENT/)
  expect(read).toBeLessThan(1000)
})
