import { expect, test } from 'vitest'
import { csvRowCounter } from './csv-rows.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('counts rows without the header, across pieces', () => {
  const count = csvRowCounter()
  expect(count(bytes('name,email\r\nAda,ada@exa'))).toBe(0)
  expect(count(bytes('mple.com\r\nGrace,'))).toBe(1)
  expect(count(bytes('grace@example.com\r\n'))).toBe(2)
})

test('does not count a line break inside quotes, even when a piece ends there', () => {
  const count = csvRowCounter()
  count(bytes('name,note\n"Ada","two\n'))
  expect(count(bytes('lines and a ""quote""\n"\n'))).toBe(1)
  expect(count(bytes('Grace,plain\n'))).toBe(2)
})
