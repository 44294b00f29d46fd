import { describe, expect, test } from 'vitest'
import { darkPalette, lightPalette } from './palette.ts'

const channel = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((start) => channel(Number.parseInt(hex.slice(start, start + 2), 16) / 255))
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

function ratio(one: string, two: string): number {
  const [high, low] = [luminance(one), luminance(two)].sort((a, b) => b - a)
  return (high! + 0.05) / (low! + 0.05)
}

type Flat = Record<string, string>
const roles = ['primary', 'secondary', 'error', 'warning', 'info', 'success'] as const

describe.each([
  ['light', lightPalette],
  ['dark', darkPalette],
] as const)('%s', (_, palette) => {
  const { paper, default: page } = palette.background as { paper: string; default: string }
  const text = palette.text as Flat

  test.each(Object.entries(palette.tint))('a chip in %s is readable', (_tone, tint) => {
    expect(ratio(tint.text, tint.background)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(roles)('%s is readable as text and as a button', (role) => {
    const colour = palette[role] as { main: string; contrastText: string }
    for (const surface of [paper, page, palette.rowHover]) {
      expect(ratio(colour.main, surface)).toBeGreaterThanOrEqual(4.5)
    }
    expect(ratio(colour.contrastText, colour.main)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(['primary', 'secondary', 'disabled'])('%s text is readable on every surface', (kind) => {
    for (const surface of [paper, page, palette.rowHover]) {
      expect(ratio(text[kind]!, surface)).toBeGreaterThanOrEqual(kind === 'disabled' ? 4 : 4.5)
    }
  })

  test('the current entry of the navigation is readable', () => {
    expect(ratio((palette.primary as { main: string }).main, palette.tint.info.background)).toBeGreaterThanOrEqual(4.5)
  })

  test('the frame of a field and an amber figure stand out', () => {
    expect(ratio(palette.field, paper)).toBeGreaterThanOrEqual(3)
    expect(ratio((palette.warning as { light: string }).light, paper)).toBeGreaterThanOrEqual(3)
  })
})
