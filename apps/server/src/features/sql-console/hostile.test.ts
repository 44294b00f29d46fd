import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, openSqlWorld, type SqlWorld } from './test/ask.ts'
import { refusedStatements } from './test/hostile-statements.ts'
import { type Watch, watchHarm } from './test/unharmed.ts'

let world: SqlWorld
let watch: Watch

beforeAll(async () => {
  world = await openSqlWorld()
  await ask(world.root, 'select 1')
  watch = await watchHarm(world)
})
afterAll(async () => {
  await watch?.close()
  await world?.t.close()
})

test('there are enough of them', () => {
  expect(Object.values(refusedStatements).flat().length).toBeGreaterThan(150)
})

test.each(Object.keys(refusedStatements))('what is meant %s is refused, and written down', async (aim) => {
  for (const statement of refusedStatements[aim] ?? []) {
    const { query, rows, columns, error } = await ask(world.root, statement)
    watch.hear(JSON.stringify({ error }))
    expect([statement, query.status, rows, columns]).toEqual([statement, 'error', [], []])
    const { rows: entries } = await world.t.ctx.pool.query(
      `select action, outcome from audit_entries where resource_id = $1`,
      [query.id],
    )
    expect([statement, entries]).toEqual([statement, [{ action: 'sql.refuse', outcome: 'denied' }]])
  }
  const { before, after } = await watch.check()
  expect(after).toEqual(before)
})

/** Each step is ten of the one before it. */
const steps = (count: number, how: string): string => {
  const ten = (name: string) => Array.from({ length: 10 }, () => name).join(' + ')
  const queries = Array.from({ length: count }, (_, n) => `w${n + 1} as ${how} (select ${ten('n')} as n from w${n})`)
  return `with w0 as (select length(name) as n from customers), ${queries.join(', ')} select sum(n) from w${count}`
}

test('a query that grows beyond bounds when its parts are put together is refused before it is planned', async () => {
  const nested = Array.from({ length: 6 }).reduce<string>(
    (query) => `select n * n * n * n * n * n * n * n as n from (${query}) q`,
    'select length(name) as n from customers',
  )
  for (const query of [steps(6, ''), nested]) {
    const { error } = await ask(world.root, query)
    expect(error?.message).toBe('The query grows too large. Write AS MATERIALIZED for its WITH queries.')
  }
  for (const query of [steps(3, ''), steps(6, 'materialized')]) {
    const { query: ended, error } = await ask(world.root, query)
    expect([ended.status, error]).toEqual(['success', null])
  }
})
