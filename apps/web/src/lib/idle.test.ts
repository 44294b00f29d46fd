import { describe, expect, test } from 'vitest'
import {
  type IdleEffect,
  type IdleEvent,
  type IdlePhase,
  type IdleState,
  defaultLimits as limits,
  phaseOf,
  secondsLeft,
  startIdle,
  step,
  toneOf,
} from './idle.ts'

const t0 = Date.UTC(2026, 10, 21, 9)
const at = (minutes: number, seconds = 0) => t0 + (minutes * 60 + seconds) * 1000

function run(events: IdleEvent[], from: IdleState = startIdle(t0)): { state: IdleState; effects: IdleEffect[] } {
  const effects: IdleEffect[] = []
  let state = from
  for (const event of events) {
    const [next, happened] = step(state, event, limits)
    state = next
    effects.push(...happened)
  }
  return { state, effects }
}

describe('phase by idle time', () => {
  test.each<[string, number, IdlePhase]>([
    ['at once', at(0), 'active'],
    ['just before the warning', at(24, 59), 'active'],
    ['at 25:00', at(25), 'warning'],
    ['just before the logout', at(29, 59), 'warning'],
    ['at 30:00', at(30), 'expired'],
    ['after a night asleep', at(600), 'expired'],
  ])('%s', (_, now, phase) => {
    expect(phaseOf(startIdle(t0), now, limits)).toBe(phase)
  })

  test('counts down from 300 seconds to none', () => {
    const state = startIdle(t0)
    expect([at(25), at(27, 30), at(29, 59), at(31)].map((now) => secondsLeft(state, now, limits))).toEqual([
      300, 150, 1, 0,
    ])
  })
})

test.each([
  [300, 'success'],
  [181, 'success'],
  [180, 'warning'],
  [61, 'warning'],
  [60, 'error'],
  [0, 'error'],
] as const)('shows %i seconds in %s', (seconds, tone) => {
  expect(toneOf(seconds)).toBe(tone)
})

describe('what extends the session', () => {
  const kinds = ['mousedown', 'mousemove', 'keydown', 'scroll', 'touchstart', 'click'] as const

  test.each(kinds)('%s does before the warning', (kind) => {
    const { state } = run([{ type: 'input', kind, at: at(20) }])
    expect(state.lastActivityAt).toBe(at(20))
  })

  test.each(kinds.filter((kind) => kind !== 'mousemove'))('%s does during the warning', (kind) => {
    const { state, effects } = run([{ type: 'input', kind, at: at(26) }])
    expect(phaseOf(state, at(26), limits)).toBe('active')
    expect(effects).toContain('share')
  })

  test('moving the pointer during the warning does not', () => {
    const { state, effects } = run([{ type: 'input', kind: 'mousemove', at: at(26) }])
    expect(phaseOf(state, at(26), limits)).toBe('warning')
    expect(effects).toEqual([])
  })

  test('the button does', () => {
    expect(run([{ type: 'continue', at: at(29, 59) }]).state.lastActivityAt).toBe(at(29, 59))
  })

  test('activity in another tab does', () => {
    const { state } = run([{ type: 'shared', activityAt: at(26), at: at(26, 1) }])
    expect(phaseOf(state, at(26, 1), limits)).toBe('active')
  })

  test('a late message from another tab never turns the time back', () => {
    const { state } = run([
      { type: 'input', kind: 'click', at: at(10) },
      { type: 'shared', activityAt: at(5), at: at(11) },
    ])
    expect(state.lastActivityAt).toBe(at(10))
  })

  test('a message from a clock ahead does not reach into the future', () => {
    const { state } = run([{ type: 'shared', activityAt: at(50), at: at(10) }])
    expect(state.lastActivityAt).toBe(at(10))
  })
})

describe('the end', () => {
  test('comes with the tick at 30:00', () => {
    expect(run([{ type: 'tick', at: at(29, 59) }]).effects).not.toContain('expire')
    expect(run([{ type: 'tick', at: at(30) }]).effects).toEqual(['expire'])
  })

  test.each([
    ['movement', { type: 'input', kind: 'mousemove', at: at(90) }],
    ['click', { type: 'input', kind: 'click', at: at(90) }],
    ['button', { type: 'continue', at: at(90) }],
  ] satisfies [string, IdleEvent][])('is not undone by the %s that wakes the machine', (_, event) => {
    const { state, effects } = run([event])
    expect(effects).toEqual(['expire'])
    expect(state.lastActivityAt).toBe(t0)
  })
})

describe('hidden tabs', () => {
  test('a hidden tab neither warns nor ends', () => {
    const { state, effects } = run([
      { type: 'hide', at: at(1) },
      { type: 'tick', at: at(120) },
    ])
    expect(phaseOf(state, at(120), limits)).toBe('paused')
    expect(effects).not.toContain('expire')
  })

  test('returning counts as activity, however late', () => {
    const { state, effects } = run([
      { type: 'hide', at: at(1) },
      { type: 'show', at: at(120) },
    ])
    expect(phaseOf(state, at(120), limits)).toBe('active')
    expect(effects).toEqual(['share', 'heartbeat'])
  })

  test('being told visible twice is no activity', () => {
    expect(run([{ type: 'show', at: at(26) }]).state.lastActivityAt).toBe(t0)
  })
})

describe('heartbeats', () => {
  const heartbeats = (events: IdleEvent[], from?: IdleState) =>
    run(events, from).effects.filter((effect) => effect === 'heartbeat').length

  const ticks = (from: number, to: number): IdleEvent[] =>
    Array.from({ length: to - from }, (_, second) => ({ type: 'tick', at: at(0, from + second) }))

  test('constant activity sends one a minute', () => {
    const moves: IdleEvent[] = Array.from({ length: 301 }, (_, second) => ({
      type: 'input',
      kind: 'mousemove',
      at: at(0, second),
    }))
    expect(heartbeats(moves)).toBe(6)
  })

  test('no activity sends none', () => {
    expect(heartbeats(ticks(1, 1500), { ...startIdle(t0), ownActivityAt: 0 })).toBe(0)
  })

  test('activity inside the minute is told once it is over', () => {
    const { effects, state } = run([
      { type: 'input', kind: 'click', at: at(0, 1) },
      { type: 'input', kind: 'click', at: at(0, 30) },
      ...ticks(31, 61),
    ])
    expect(effects.filter((effect) => effect === 'heartbeat')).toHaveLength(1)
    expect(heartbeats(ticks(61, 400), state)).toBe(1)
  })

  test('another tab leaves its own activity to that tab, and its heartbeat spares ours', () => {
    expect(
      heartbeats([{ type: 'shared', activityAt: at(5), at: at(5) }, ...ticks(301, 400)], {
        ...startIdle(t0),
        ownActivityAt: 0,
      }),
    ).toBe(0)
    expect(
      heartbeats([
        { type: 'shared-heartbeat', sentAt: at(0, 50) },
        { type: 'input', kind: 'click', at: at(1) },
      ]),
    ).toBe(0)
  })

  test('sharing with the other tabs happens at most once a second', () => {
    const moves: IdleEvent[] = Array.from({ length: 100 }, (_, index) => ({
      type: 'input',
      kind: 'mousemove',
      at: at(2) + index * 30,
    }))
    expect(run(moves).effects.filter((effect) => effect === 'share')).toHaveLength(3)
  })
})

test('a new tab takes up the activity of the others', () => {
  expect(startIdle(at(10), at(9)).lastActivityAt).toBe(at(10))
})
