import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, readable, textOn } from './brand.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`)

test('text is readable on any color, and any color as text on white', () => {
  fc.assert(
    fc.property(color, (any) => {
      expect(contrast(any, textOn(any))).toBeGreaterThanOrEqual(4.5)
      expect(contrast(readable(any), '#ffffff')).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test.each([
  ['#1565c0', '#ffffff', '#1565c0'],
  ['#ffeb3b', '#000000', '#7f751d'],
  ['#ffffff', '#000000', '#757575'],
  ['#000000', '#ffffff', '#000000'],
])('on %s text is %s, and as text it is %s', (any, on, text) => {
  expect([textOn(any), readable(any)]).toEqual([on, text])
})
