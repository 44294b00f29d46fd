import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runJob, type TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { request } from '../../../test/request.ts'
import { createTwoProcesses, getSession, signIn } from '../../../test/sign-in.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

const idleWords = 'Signed out after 30 minutes without activity.'
const hiddenWords = 'The console was hidden for 4 hours. Sign in again.'
const lifeWords = 'A session lasts 12 hours at most. Sign in again.'

let one: TestContext
let two: TestContext
let key: string
let start: number

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses()
})

afterAll(async () => {
  await two?.close()
  await one?.close()
})

beforeEach(async () => {
  key = await signIn(one)
  start = one.clock.now()
})

type Step = [at: number, does: 'beat' | 'poll' | 'hide' | 'show' | 'close', tab?: string]

async function play(steps: readonly Step[]): Promise<void> {
  const caller = request(one.ctx).withKey(key)
  const states = { hide: 'hidden', show: 'visible', close: 'closed' } as const
  for (const [at, does, tab = 'a'] of steps) {
    one.clock.set(start + at)
    const response =
      does === 'poll'
        ? await caller.get('/notifications')
        : does === 'beat'
          ? await caller.post('/auth/heartbeat', { tab })
          : await caller.post('/auth/visibility', { tab, state: states[does] })
    expect(`${does} at ${at}: ${response.statusCode}`).toBe(`${does} at ${at}: 200`)
  }
}

/** The last moment at which the key holds, and the first at which it does not. */
const cases: [name: string, steps: Step[], end: number, words: string][] = [
  ['nothing happens', [], 30 * minute, idleWords],
  ['a heartbeat keeps it', [[10 * minute, 'beat']], 40 * minute, idleWords],
  [
    'polling does not',
    [
      [10 * minute, 'poll'],
      [29 * minute, 'poll'],
    ],
    30 * minute,
    idleWords,
  ],
  ['a hidden tab has four hours', [[5 * minute, 'hide']], 5 * minute + 4 * hour, hiddenWords],
  [
    'a return is activity',
    [
      [5 * minute, 'hide'],
      [2 * hour, 'show'],
    ],
    2.5 * hour,
    idleWords,
  ],
  [
    'one visible tab of two: half an hour',
    [
      [1 * minute, 'show', 'a'],
      [2 * minute, 'show', 'b'],
      [5 * minute, 'hide', 'a'],
    ],
    30 * minute,
    idleWords,
  ],
  [
    'both hidden: four hours from the second',
    [
      [1 * minute, 'show', 'b'],
      [5 * minute, 'hide', 'a'],
      [20 * minute, 'hide', 'b'],
    ],
    20 * minute + 4 * hour,
    hiddenWords,
  ],
  [
    'the visible one is closed: the hidden one has four hours',
    [
      [1 * minute, 'show', 'b'],
      [5 * minute, 'hide', 'a'],
      [20 * minute, 'close', 'b'],
    ],
    20 * minute + 4 * hour,
    hiddenWords,
  ],
  [
    'activity in a tab that was not told of: somebody is there',
    [
      [5 * minute, 'hide', 'a'],
      [6 * minute, 'beat', 'b'],
    ],
    36 * minute,
    idleWords,
  ],
  [
    'a tab that crashed while visible does not hold back the others',
    [
      [1 * minute, 'show', 'crashed'],
      [20 * minute, 'beat', 'a'],
      [40 * minute, 'beat', 'a'],
      [50 * minute, 'hide', 'a'],
    ],
    50 * minute + 4 * hour,
    hiddenWords,
  ],
  [
    'the last words of a closed tab do not hide it',
    [
      [5 * minute, 'close', 'a'],
      [5 * minute, 'hide', 'a'],
    ],
    30 * minute,
    idleWords,
  ],
  [
    'a tab that says again that it is visible is not active',
    [
      [5 * minute, 'show', 'a'],
      [25 * minute, 'show', 'a'],
    ],
    30 * minute,
    idleWords,
  ],
  [
    'twelve hours in any case, active or not',
    Array.from({ length: 36 }, (_, index): Step => [(index + 0.99) * 20 * minute, 'beat']),
    12 * hour,
    lifeWords,
  ],
  [
    'twelve hours in any case, hidden or not',
    [
      [5 * minute, 'hide'],
      [4 * hour, 'show'],
      [4.1 * hour, 'hide'],
      [8 * hour, 'show'],
      [8.1 * hour, 'hide'],
    ],
    12 * hour,
    lifeWords,
  ],
]

describe('a session', () => {
  test.each(cases)('ends in time: %s', async (_name, steps, end, words) => {
    await play(steps)
    for (const process of [one, two]) {
      one.clock.set(start + end - second)
      await eventually(async () => expect((await getSession(process, key)).statusCode).toBe(200))
    }
    for (const process of [one, two]) {
      one.clock.set(start + end)
      const response = await getSession(process, key)
      expect(response.statusCode).toBe(401)
      expect(response.json()).toMatchObject({ code: 'unauthenticated', detail: words })
    }
  })

  test('cannot be brought back once it has ended', async () => {
    one.clock.set(start + 30 * minute)
    const caller = request(one.ctx).withKey(key)
    expect((await caller.post('/auth/heartbeat', {})).statusCode).toBe(401)
    expect((await caller.post('/auth/visibility', { tab: 'a', state: 'visible' })).statusCode).toBe(401)
  })

  test('says until when it lasts, never beyond its twelve hours', async () => {
    one.clock.set(start + 10 * minute)
    const beat = await request(one.ctx).withKey(key).post('/auth/heartbeat', {})
    expect(beat.json()).toEqual({ idle_expires_at: new Date(start + 40 * minute).toISOString() })
    const hidden = await request(one.ctx).withKey(key).post('/auth/visibility', { tab: 'a', state: 'hidden' })
    expect(hidden.json()).toEqual({ idle_expires_at: new Date(start + 10 * minute + 4 * hour).toISOString() })
    await play([
      [4 * hour, 'show'],
      [4.1 * hour, 'hide'],
      [8 * hour, 'show'],
    ])
    one.clock.set(start + 8.2 * hour)
    const last = await request(one.ctx).withKey(key).post('/auth/visibility', { tab: 'a', state: 'hidden' })
    expect(last.json()).toEqual({ idle_expires_at: new Date(start + 12 * hour).toISOString() })
  })

  test('that ran out is marked and told in the audit log, once', async () => {
    const { id } = (await getSession(one, key)).json().session
    one.clock.set(start + 31 * minute)
    await runJob(one.ctx, 'auth.sweep')
    await runJob(one.ctx, 'auth.sweep')
    const entries = await one.ctx.db
      .selectFrom('audit_entries')
      .select('action')
      .where('resource_id', '=', id)
      .where('action', '=', 'session.expire')
      .execute()
    expect(entries).toHaveLength(1)
    expect((await getSession(one, key)).json().detail).toBe(idleWords)
  })

  test('is forgotten after ninety days, with its attempts', async () => {
    one.clock.set(start + 91 * 24 * hour)
    await runJob(one.ctx, 'auth.sweep')
    const { rows } = await one.ctx.pool.query(
      'select (select count(*) from sessions) as sessions, (select count(*) from sign_in_attempts) as attempts',
    )
    expect(rows).toEqual([{ sessions: 0, attempts: 0 }])
  })

  test.each([
    ['/auth/visibility', { tab: 'a', state: 'away' }],
    ['/auth/visibility', { tab: '', state: 'hidden' }],
    ['/auth/visibility', { tab: 'x'.repeat(65), state: 'hidden' }],
    ['/auth/heartbeat', { tab: 7 }],
    ['/auth/heartbeat', { other: 'a' }],
  ])('refuses a report to %s with %j', async (path, body) => {
    expect((await request(one.ctx).withKey(key).post(path, body)).statusCode).toBe(400)
  })
})
