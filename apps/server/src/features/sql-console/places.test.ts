import { setImmediate as turn } from 'node:timers/promises'
import { sqlLimits } from '@agency/contract/sql-console'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createPlaces, type Place } from './places.ts'
import { ask, newQueryId, openSqlWorld, type SqlWorld } from './test/ask.ts'

const never = new AbortController().signal
const endless = 'select count(*) from generate_series(1, 100000000000) n'

describe('places', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant('take' as const) },
    { weight: 1, arbitrary: fc.record({ leave: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ again: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ cancel: fc.nat() }) },
  )

  test('are given in the order of asking, never more than there are, and none is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const places = createPlaces()
        const held = new Map<string, Place>()
        const left: Place[] = []
        // What should be: who holds a place, and who waits, longest first.
        const holders = new Set<string>()
        const queue: string[] = []
        const refill = () => {
          while (holders.size < sqlLimits.atOnce && queue.length > 0) holders.add(queue.shift() ?? '')
        }
        const one = <T>(from: readonly T[], at: number): T | undefined => from[at % Math.max(1, from.length)]
        let asked = 0
        for (const what of steps) {
          if (what === 'take') {
            const id = `q${asked++}`
            queue.push(id)
            places.take(id, never).then(
              (place) => held.set(id, place),
              () => {},
            )
          } else if ('leave' in what) {
            const id = one([...held.keys()], what.leave)
            if (id === undefined) continue
            const place = held.get(id)
            place?.leave()
            if (place) left.push(place)
            held.delete(id)
            holders.delete(id)
          } else if ('again' in what) one(left, what.again)?.leave()
          else {
            const id = one(queue, what.cancel)
            if (id === undefined) continue
            expect(places.cancel(id)).toBe(true)
            queue.splice(queue.indexOf(id), 1)
          }
          refill()
          await turn()
          expect([...held.keys()].sort()).toEqual([...holders].sort())
        }
        for (const id of queue) places.cancel(id)
      }),
    )
  })

  test('that are not given for as long as a query may take are no longer waited for', async () => {
    vi.useFakeTimers()
    const places = createPlaces()
    const first = await Promise.all(['a', 'b'].map((id) => places.take(id, never)))
    const third = places.take('c', never)
    third.catch(() => {})
    vi.advanceTimersByTime(sqlLimits.seconds * 1000)
    await expect(third).rejects.toThrow('Not run: it waited 30 seconds for its turn behind other queries. Try again.')
    expect(places.cancel('c')).toBe(false)
    first[0]?.leave()
    await expect(places.take('d', never)).resolves.toBeTruthy()
  })
})

describe('of more queries at once than may run', () => {
  let world: SqlWorld
  beforeAll(async () => {
    world = await openSqlWorld()
  })
  afterAll(() => world?.t.close())

  const statusOf = async (id: string) =>
    (await world.t.ctx.pool.query('select status from sql_queries where id = $1', [id])).rows[0]?.status
  const beganAt = async (id: string): Promise<Date | null | undefined> =>
    (await world.t.ctx.pool.query('select began_at from sql_queries where id = $1', [id])).rows[0]?.began_at
  const sessions = async () =>
    Number(
      (
        await world.t.ctx.pool.query(
          `select count(*) from pg_stat_activity where application_name like 'agency-console sql %'
             and datname = current_database()`,
        )
      ).rows[0]?.count,
    )
  const cancel = (id: string) => world.root.post(`/admin/sql/queries/${id}/cancel`)

  test('the last one waits, can be cancelled meanwhile, and runs when another one has ended', async () => {
    const ids = Array.from({ length: sqlLimits.atOnce }, newQueryId)
    const running = ids.map((id) => ask(world.root, endless, [], id))
    await expect.poll(sessions).toBe(sqlLimits.atOnce)

    const [given, waits] = [newQueryId(), newQueryId()]
    const unwanted = ask(world.root, 'select 4', [], given)
    await expect.poll(() => statusOf(given)).toBe('processing')
    const wanted = ask(world.root, 'select 5', [], waits)
    await expect.poll(() => statusOf(waits)).toBe('processing')
    expect(await Promise.all([...ids, given, waits].map(beganAt))).toEqual([
      expect.any(Date),
      expect.any(Date),
      null,
      null,
    ])
    // What it waited is no time of its own.
    world.t.clock.advance(5000)
    expect((await cancel(given)).json().query).toMatchObject({ status: 'cancelled', began_at: null, execution_time: 0 })
    expect(await unwanted).toMatchObject({ rows: [], error: { message: 'Cancelled' }, query: { status: 'cancelled' } })
    expect([await statusOf(waits), await sessions()]).toEqual(['processing', sqlLimits.atOnce])

    // The same id once more is refused, and does nothing to the one that waits.
    expect((await world.root.post('/admin/sql/queries', { id: waits, query: 'select 6' })).statusCode).toBe(409)
    expect([await statusOf(waits), await sessions()]).toEqual(['processing', sqlLimits.atOnce])

    await cancel(ids[0] ?? '')
    const { query, ...answer } = await wanted
    expect(answer).toMatchObject({ rows: [['5']], error: null })
    expect(query).toMatchObject({ status: 'success', began_at: (await beganAt(waits))?.toISOString() })
    expect(Date.parse(query.began_at ?? '')).toBeGreaterThanOrEqual(Date.parse(query.executed_at) + 5000)
    await Promise.all(ids.slice(1).map(cancel))
    expect((await Promise.all(running)).map(({ query }) => query.status)).toEqual(ids.map(() => 'cancelled'))
    expect(await sessions()).toBe(0)
  })
})
