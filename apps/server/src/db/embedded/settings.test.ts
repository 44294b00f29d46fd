import { expect, test } from 'vitest'
import { defaultSettings, fingerprint, sharedBuffersMib, writeSettings } from './settings.ts'

const gib = 1024 ** 3

test.each([
  [0.25, 64],
  [1, 128],
  [1.5, 192],
  [64, 256],
])('a machine with %s GiB gives the database %s MiB of buffers', (memory, buffers) => {
  expect(sharedBuffersMib(memory * gib)).toBe(buffers)
})

test('other settings have another fingerprint', () => {
  const text = writeSettings(defaultSettings)
  expect(fingerprint(text)).toMatch(/^\w{16}$/)
  expect(fingerprint(writeSettings({ ...defaultSettings, maxConnections: 41 }))).not.toBe(fingerprint(text))
  expect(fingerprint(writeSettings(defaultSettings))).toBe(fingerprint(text))
})
