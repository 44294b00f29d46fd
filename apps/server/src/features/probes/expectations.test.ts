import type { CheckSettings } from '@agency/contract/checks'
import { describe, expect, test } from 'vitest'
import { usualSettings } from './check-settings.ts'
import { type Answer, unmet, unmetName } from './expectations.ts'

const answer = (part: Partial<Answer> = {}): Answer => ({
  ...{ status: 200, headers: {}, body: '<h1>Book now</h1>', isCut: false, location: null },
  ...part,
})
const wordsOf = (settings: Partial<CheckSettings>, part: Partial<Answer> = {}) =>
  unmet(answer(part), { ...usualSettings, ...settings })

test('nothing is expected as usual', () => expect(wordsOf({}, { status: 500 })).toBeNull())

describe('statuses', () => {
  test.each([
    ['200', 200, null],
    ['200-299, 404', 404, null],
    ['200-299,301', 250, null],
    ['200-299', 503, 'Expected status 200-299, got 503'],
    ['301', 200, 'Expected status 301, got 200'],
  ])('%s and %i', (statuses, status, words) => expect(wordsOf({ statuses }, { status })).toBe(words))
})

describe('keyword', () => {
  test.each([
    ['contains', 'book NOW', {}, null],
    ['contains', 'Opening hours', {}, 'Expected "Opening hours", not found'],
    ['contains', 'Hours', { isCut: true }, 'Expected "Hours", not found in the first 256 KB'],
    ['lacks', 'Fatal error', {}, null],
    ['lacks', 'book', {}, 'Found the forbidden text "book"'],
  ] as const)('%s %s', (mode, text, part, words) => expect(wordsOf({ keyword: { text, mode } }, part)).toBe(words))
})

describe('JSON', () => {
  const json = { query: '$.db[0].ok', value: 'true' }
  test.each([
    ['{"db":[{"ok":true}]}', null],
    ['{"db":[{"ok":"true"}]}', null],
    ['{"db":[{"ok":false}]}', 'Expected $.db[0].ok to be "true", got "false"'],
    ['{"db":[]}', 'Expected $.db[0].ok to be "true", got nothing'],
    ['oops', 'Expected $.db[0].ok to be "true", got no JSON'],
  ])('%s', (body, words) => expect(wordsOf({ json }, { body })).toBe(words))
})

describe('header', () => {
  const header = { name: 'X-Cache', contains: 'hit' }
  test.each([
    [{ 'x-cache': 'HIT from edge' }, null],
    [{}, 'Expected the header X-Cache, got none'],
    [{ 'x-cache': 'MISS' }, 'Expected the header X-Cache to contain "hit", got "MISS"'],
  ])('%o', (headers, words) => expect(wordsOf({ header }, { headers: headers as Answer['headers'] })).toBe(words))
})

describe('redirects', () => {
  const to = 'https://www.shop.example/'
  test.each([
    [{ mode: 'none' }, null, null],
    [{ mode: 'none' }, to, `Expected no redirect, got one to ${to}`],
    [{ mode: 'expect', to: 'https://www.shop.example' }, to, null],
    [{ mode: 'expect', to }, null, `Expected a redirect to ${to}, got status 200`],
    [{ mode: 'expect', to }, 'https://evil.example/', `Expected a redirect to ${to}, got one to https://evil.example/`],
  ] as const)('%o with %s', (redirect, location, words) => expect(wordsOf({ redirect }, { location })).toBe(words))
})

test('shows one short line of what strangers wrote', () => {
  const words = wordsOf({ header: { name: 'x', contains: 'y' } }, { headers: { x: `a\u202e\n${'b'.repeat(500)}` } })
  expect(words).toContain('"a bbb')
  expect(words).toContain('…')
  expect(words!.length).toBeLessThan(160)
})

describe('where the name leads', () => {
  const words = (dns: string | null, names: string[] | null) => unmetName(names, { dns })
  test.each([
    [null, ['192.0.2.1'], null],
    ['192.0.2.1', null, null],
    ['192.0.2.1', ['192.0.2.9', '192.0.2.1'], null],
    ['Edge.Example.', ['edge.example', '192.0.2.1'], null],
    ['192.0.2.1', ['192.0.2.9'], 'Expected DNS to point to 192.0.2.1, got 192.0.2.9'],
    ['192.0.2.1', [], 'Expected DNS to point to 192.0.2.1, got nothing'],
  ])('%s with %o', (dns, names, expected) => expect(words(dns, names)).toBe(expected))
})
