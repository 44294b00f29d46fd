import { expect, test } from 'vitest'
import { asList, type FormHash, type FormValue, parseForm } from './form.ts'
import { bool, created, emptyable, hash, int, list, metadata, readParams, required, str } from './params.ts'

test('reads nested hashes and lists with and without numbers', () => {
  const form = parseForm(
    'items[0][price]=p1&items[0][quantity]=2&items[1][price]=p2&expand[]=a&expand[]=b&a[b][c]=%20x',
  )
  expect(form).toEqual({
    items: { 0: { price: 'p1', quantity: '2' }, 1: { price: 'p2' } },
    expand: { 0: 'a', 1: 'b' },
    a: { b: { c: ' x' } },
  })
  expect(asList(form['expand']!)).toEqual(['a', 'b'])
})

test('keeps a parameter called __proto__ from reaching any prototype', () => {
  parseForm('__proto__[polluted]=yes&a[__proto__][polluted]=yes')
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test.each([
  ['refuses an unknown parameter', { nme: 'x' }, 'parameter_unknown', 'nme'],
  ['refuses an unknown inner parameter', { inner: { b: '1' } }, 'parameter_unknown', 'inner[b]'],
  ['refuses a missing parameter', { name: undefined }, 'parameter_missing', 'name'],
  ['refuses an empty value', { count: '' }, 'parameter_invalid_empty', 'count'],
  ['refuses a number that is none', { count: '1.5' }, 'parameter_invalid_integer', 'count'],
  ['refuses a number out of bounds', { count: '101' }, 'parameter_invalid_integer', 'count'],
  ['refuses a boolean that is none', { flag: 'yes' }, undefined, 'flag'],
  ['refuses metadata that is too long', { meta: { k: 'x'.repeat(501) } }, undefined, 'meta[k]'],
] as [string, Record<string, FormValue | undefined>, string | undefined, string][])(
  '%s',
  (_name, form, code, param) => {
    const shape = {
      name: required(str()),
      count: int(1, 100),
      flag: bool(),
      inner: hash({ a: str() }),
      meta: metadata(),
    }
    const filled = Object.entries({ name: 'n', ...form }).filter(([, value]) => value !== undefined)
    const given = Object.fromEntries(filled) as FormHash
    expect(() => readParams(shape, given)).toThrow(
      expect.objectContaining({ status: 400, body: expect.objectContaining({ param }) }),
    )
    if (code) {
      expect(() => readParams(shape, given)).toThrow(
        expect.objectContaining({ body: expect.objectContaining({ code }) }),
      )
    }
  },
)

test('reads what it was told to read', () => {
  const shape = { at: created(), tags: list(str()), note: emptyable(str()), meta: metadata() }
  expect(readParams(shape, parseForm('at=5&tags[]=a&note=&meta='))).toEqual({
    at: { gte: 5, lte: 5 },
    tags: ['a'],
    note: null,
    meta: null,
  })
  expect(readParams(shape, parseForm('at[gte]=5&at[lt]=9'))).toEqual({ at: { gte: 5, lt: 9 } })
})
