import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const rows = new URL('./rows/', import.meta.url)

test('every row loads without a test run around it', async () => {
  const files = (await readdir(rows)).filter((name) => name.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(0)
  const { TEST_PROGRAMS: _programs, VITEST: _vitest, ...env } = process.env
  const load = files.map((name) => `await import(${JSON.stringify(new URL(name, rows).href)})`).join('\n')
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', load], { env })
})
