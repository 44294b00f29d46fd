import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayAt, daysBefore, momentOf, newestUntil, nextAfter, type Rhythm, spanOf } from './due-times.ts'

const iso = (at: number) => new Date(at).toISOString().replace(':00.000Z', 'Z')
const weekly = (weekday: number, hour: number, time_zone: string): Rhythm => ({
  ...{ cadence: 'weekly', weekday, month_day: null, hour, time_zone },
})
const monthly = (month_day: number, hour: number, time_zone: string): Rhythm => ({
  ...{ cadence: 'monthly', weekday: null, month_day, hour, time_zone },
})

describe('the next date', () => {
  test.each([
    // Monday 8 AM, across the change of clocks of New York and Berlin in autumn and spring.
    [weekly(1, 8, 'America/New_York'), '2026-10-31T12:00Z', '2026-11-02T13:00Z'],
    [weekly(1, 8, 'America/New_York'), '2026-03-02T13:00Z', '2026-03-09T12:00Z'],
    [weekly(1, 8, 'Europe/Berlin'), '2026-10-19T06:00Z', '2026-10-26T07:00Z'],
    [weekly(1, 8, 'Europe/Berlin'), '2026-10-19T05:59Z', '2026-10-19T06:00Z'],
    // The clocks skip 2 AM on that Sunday, and show 1 AM twice on the other.
    [weekly(0, 2, 'America/New_York'), '2026-03-07T00:00Z', '2026-03-08T07:00Z'],
    [weekly(0, 1, 'America/New_York'), '2026-10-31T00:00Z', '2026-11-01T05:00Z'],
    [weekly(0, 1, 'America/New_York'), '2026-11-01T05:00Z', '2026-11-08T06:00Z'],
    // Cairo skips midnight; Kathmandu is three quarters of an hour off, Kiritimati almost a day ahead.
    [weekly(5, 0, 'Africa/Cairo'), '2026-04-22T00:00Z', '2026-04-23T22:00Z'],
    [weekly(3, 9, 'Asia/Kathmandu'), '2026-11-17T00:00Z', '2026-11-18T03:15Z'],
    [weekly(1, 6, 'Pacific/Kiritimati'), '2026-11-15T00:00Z', '2026-11-15T16:00Z'],
    // A month without that day takes its last one.
    [monthly(31, 8, 'UTC'), '2026-01-31T08:00Z', '2026-02-28T08:00Z'],
    [monthly(29, 8, 'UTC'), '2028-01-29T08:00Z', '2028-02-29T08:00Z'],
    [monthly(30, 8, 'UTC'), '2027-02-27T00:00Z', '2027-02-28T08:00Z'],
    [monthly(31, 8, 'UTC'), '2026-02-28T08:00Z', '2026-03-31T08:00Z'],
    [monthly(31, 8, 'UTC'), '2026-04-29T00:00Z', '2026-04-30T08:00Z'],
    [monthly(1, 23, 'America/Los_Angeles'), '2026-12-02T06:59Z', '2026-12-02T07:00Z'],
    [monthly(1, 0, 'UTC'), '2026-12-31T23:59Z', '2027-01-01T00:00Z'],
  ] as const)('of %j after %s is %s', (rhythm, after, next) => {
    expect(iso(nextAfter(rhythm, Date.parse(after)))).toBe(next)
  })

  test('is later than the moment, at that hour or right after skipped ones, whatever the zone', () => {
    const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Cairo']
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) }),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 1, max: 31 }),
        fc.boolean(),
        (zone, after, hour, weekday, day, isWeekly) => {
          const rhythm = isWeekly ? weekly(weekday, hour, zone) : monthly(day, hour, zone)
          const next = nextAfter(rhythm, after)
          const shown = new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone: zone })
          const late = Number(shown.format(next)) - hour
          expect(next).toBeGreaterThan(after)
          expect(next - after).toBeLessThan((isWeekly ? 7.1 : 31.1) * 86_400_000)
          expect([0, 1]).toContain(late)
        },
      ),
    )
  })

  test('that was missed several times is the newest one only', () => {
    const rhythm = weekly(1, 8, 'UTC')
    const due = Date.parse('2026-11-02T08:00:00Z')
    expect(iso(newestUntil(rhythm, due, Date.parse('2026-11-24T00:00:00Z')))).toBe('2026-11-23T08:00Z')
    expect(newestUntil(rhythm, due, due)).toBe(due)
  })
})

describe('the days before', () => {
  test.each([
    // The 23rd is a Monday.
    ['weekly', 'UTC', '2026-11-23T08:00Z', '2026-11-15', '2026-11-21'],
    ['weekly', 'UTC', '2026-11-22T00:00Z', '2026-11-15', '2026-11-21'],
    ['weekly', 'UTC', '2026-11-21T23:59Z', '2026-11-08', '2026-11-14'],
    // It is Sunday there already, or still Saturday.
    ['weekly', 'Pacific/Auckland', '2026-11-21T20:00Z', '2026-11-15', '2026-11-21'],
    ['weekly', 'America/Los_Angeles', '2026-11-22T07:00Z', '2026-11-08', '2026-11-14'],
    ['monthly', 'UTC', '2026-03-01T00:00Z', '2026-02-01', '2026-02-28'],
    ['monthly', 'UTC', '2028-03-31T00:00Z', '2028-02-01', '2028-02-29'],
    ['monthly', 'UTC', '2026-01-15T00:00Z', '2025-12-01', '2025-12-31'],
    ['monthly', 'America/Los_Angeles', '2026-12-01T07:00Z', '2026-10-01', '2026-10-31'],
  ] as const)('%s in %s at %s are %s to %s', (cadence, time_zone, at, first, last) => {
    expect(daysBefore({ cadence, time_zone }, Date.parse(at))).toEqual({ first, last })
  })

  test('begin and end where the zone says, also in a month with a change of clocks', () => {
    const { from, to } = spanOf({ first: '2026-03-01', last: '2026-03-31' }, 'Europe/Berlin')
    expect([iso(from.getTime()), iso(to.getTime())]).toEqual(['2026-02-28T23:00Z', '2026-03-31T22:00Z'])
  })

  test('a day begins after what its clocks skip', () => {
    expect(iso(momentOf('2026-04-24', 0, 'Africa/Cairo'))).toBe('2026-04-23T22:00Z')
    expect(dayAt(Date.parse('2026-04-23T22:00:00Z'), 'Africa/Cairo')).toBe('2026-04-24')
  })
})
