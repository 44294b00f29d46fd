import { describe, expect, test } from 'vitest'
import { barChart, heatChart, inks, lineChart, stepChart } from './chart-svg.ts'

const rects = (svg: string) =>
  [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="[\d.]+" height="([\d.]+)" fill="(#\w+)"/g)].map(
    ([, , y, height, fill]) => ({ top: Number(y), bottom: Number(y) + Number(height), fill }),
  )
const format = (value: number) => `${value}`
const zeroOf = (svg: string) => Number(/M52 ([\d.]+)H370" stroke="#5b6570"/.exec(svg)?.[1])

describe('bars', () => {
  test('stand on zero, those that are lost hang below it, and nothing is drawn for what is not known', () => {
    const svg = barChart({
      ...{ title: 'MRR', slots: ['1', '2', '3'], format },
      series: [{ label: 'New', color: inks.gain, values: [100, -50, null] }],
    })
    const [up, down, ...more] = rects(svg)
    expect(up?.bottom).toBeCloseTo(zeroOf(svg))
    expect(down?.top).toBeCloseTo(zeroOf(svg))
    expect(more).toEqual([])
    expect((up!.bottom - up!.top) / (down!.bottom - down!.top)).toBeCloseTo(2)
  })

  test('of one slot stand on each other', () => {
    const series = [inks.gain, inks.moreGain].map((color) => ({ label: color, color, values: [10] }))
    const drawn = rects(barChart({ title: 'x', slots: ['a'], series, format })).slice(2)
    expect(drawn[1]?.bottom).toBeCloseTo(drawn[0]!.top)
  })
})

test('steps hang between their levels, and end where one is not known', () => {
  const step = (kind: 'level' | 'change', value: number | null) => ({ label: kind, kind, value, color: inks.main })
  const drawn = rects(stepChart('x', [step('level', 100), step('change', -40), step('level', 60)], format))
  expect(drawn[1]?.top).toBeCloseTo(drawn[0]!.top)
  expect(drawn[1]?.bottom).toBeCloseTo(drawn[2]!.top)
  expect(rects(stepChart('x', [step('level', 100), step('change', null), step('change', 5)], format))).toHaveLength(1)
})

test('a line breaks at a gap, and a lonely value is a dot', () => {
  const svg = lineChart({
    ...{ title: 'x', slots: ['1', '2', '3', '4', '5'], format },
    series: [{ label: 'ms', color: inks.main, values: [1, 2, null, 3, null] }],
  })
  expect(/<path d="(M[^"]*)" fill="none"/.exec(svg)?.[1]?.match(/[ML]/g)).toEqual(['M', 'L', 'M'])
  expect(svg.match(/<circle/g)).toHaveLength(1)
})

test('without a value a chart says so, and what others wrote stays text', () => {
  expect(lineChart({ title: '<b>', slots: ['1'], series: [], format })).toContain('No data in this range')
  expect(heatChart('<script>', ['0'], [{ name: '<i>', cells: [{ share: 1, text: '100%' }] }])).not.toMatch(
    /<script|<i>/,
  )
})
