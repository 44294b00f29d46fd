import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSecretBox } from './secrets.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'secrets-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

const given = (secretsKey: string) => openSecretBox({ secretsKey, dataDir: '/nowhere' })

test('opens what it sealed, and nobody reads it in between', async () => {
  const box = await given('a key of at least thirty-two characters')
  const sealed = box.seal('whsec_ünïcode')
  expect(sealed).not.toContain('whsec')
  expect(box.seal('whsec_ünïcode')).not.toBe(sealed)
  expect(box.open(sealed)).toBe('whsec_ünïcode')
})

test('does not open what another key sealed, or what was changed', async () => {
  const box = await given('a key of at least thirty-two characters')
  const other = await given('another key of at least thirty-two chars')
  const sealed = box.seal('secret')
  expect(other.open(sealed)).toBeNull()
  const last = sealed.at(-1) === 'A' ? 'B' : 'A'
  for (const broken of [`${sealed.slice(0, -1)}${last}`, sealed.slice(0, -4), '', 'v1.a.b', `v2${sealed.slice(2)}`]) {
    expect(box.open(broken)).toBeNull()
  }
})

test('makes its key once, for the owner alone, however many start at once', async () => {
  const boxes = await Promise.all(
    Array.from({ length: 5 }, () => openSecretBox({ secretsKey: undefined, dataDir: join(dataDir, 'new') })),
  )
  const sealed = boxes[0]!.seal('secret')
  for (const box of boxes) expect(box.open(sealed)).toBe('secret')
  const { mode } = await stat(join(dataDir, 'new', 'secrets-key'))
  expect(mode & 0o777).toBe(0o600)
})
