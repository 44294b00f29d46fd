import { expect, test } from 'vitest'
import { routes } from '../routes.tsx'
import { screenItems, screenPermissions } from './screen-items.ts'

test('every screen that is built names what its own first call needs', async () => {
  const needed: Record<string, string> = {}
  for (const { path, load } of routes) {
    // The palette lists no screen of one particular thing.
    if (path.includes(':')) continue
    const page = await load?.()
    const [first] = page?.queriesFor?.(new URLSearchParams(), path) ?? []
    if (first && first.meta.permission !== 'any') needed[path] = first.meta.permission
  }
  expect(Object.keys(needed).length).toBeGreaterThan(5)
  expect(screenPermissions).toMatchObject(needed)
}, 60_000)

test('a screen says which permission it needs, to whoever lacks it', () => {
  const denials = (held: Parameters<typeof screenItems>[1]) =>
    screenItems('audit', held).map(({ title, denial }) => [title, denial])
  expect(denials([])).toEqual([['Audit Logs', 'Needs the permission admin.system']])
  expect(denials(['admin.system'])).toEqual([['Audit Logs', undefined]])
})

test('screens are found by the group that they stand in too', () => {
  expect(screenItems('reports', []).map(({ title }) => title)).toEqual([
    ...['Revenue', 'Usage', 'Customers', 'Performance', 'System Analytics'],
  ])
})
