import { expect, test } from 'vitest'
import { screenItems } from './screen-items.ts'

test('a screen that somebody may not open is not there', () => {
  const titles = (held: Parameters<typeof screenItems>[1]) => screenItems('audit', held).map(({ title }) => title)
  expect(titles([])).toEqual([])
  expect(titles(['admin.system'])).toEqual(['Audit Logs'])
})

test('screens are found by the group that they stand in too', () => {
  expect(screenItems('reports', ['analytics.read']).map(({ title }) => title)).toEqual([
    ...['Revenue', 'Usage', 'Customers', 'Performance', 'System Analytics'],
  ])
})
