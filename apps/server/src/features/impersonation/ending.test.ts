import { describe, expect, test } from 'vitest'
import { endOfView, type ViewFacts } from './ending.ts'

const start = Date.parse('2026-03-01T09:00:00Z')
const minute = (count: number) => new Date(start + count * 60_000)

const session: NonNullable<ViewFacts['session']> = {
  ...{ idleExpiresAt: minute(40), expiresAt: minute(600), revokedAt: null, revokedReason: null, stage: 'open' },
}
const facts = (change: Partial<ViewFacts> = {}): ViewFacts => ({
  ...{ until: minute(30), session, isActive: true, mayImpersonate: true, hasCustomer: true },
  ...change,
})
const endAt = (at: number, change: Partial<ViewFacts> = {}) => {
  const end = endOfView(facts(change), minute(at).getTime())
  return end && `${end.cause} at ${(end.at.getTime() - start) / 60_000}`
}
const revoked = (at: number, reason: string) => ({
  session: { ...session, revokedAt: minute(at), revokedReason: reason },
})

describe('a view', () => {
  test('lives for half an hour, to the millisecond', () => {
    expect(endOfView(facts(), minute(30).getTime() - 1)).toBeNull()
    expect(endAt(30)).toBe('time at 30')
    expect(endAt(500)).toBe('time at 30')
  })

  test.each<[string, number, Partial<ViewFacts>, string]>([
    ['the sign-out', 20, revoked(12, 'signed_out'), 'signed_out at 12'],
    ['the deactivation', 20, revoked(12, 'deactivated'), 'deactivated at 12'],
    ['the deletion of the account', 20, revoked(12, 'deleted'), 'deactivated at 12'],
    ['the end of the session by somebody else', 20, revoked(12, 'ended_by_administrator'), 'session_ended at 12'],
    ['a session without activity', 20, { session: { ...session, idleExpiresAt: minute(7) } }, 'idle at 7'],
    ['the longest that a session lasts', 20, { session: { ...session, expiresAt: minute(9) } }, 'session_limit at 9'],
    ['a session that is not known any more', 20, { session: null }, 'session_ended at 20'],
    ['an account that is not active', 20, { isActive: false }, 'deactivated at 20'],
    ['a lower role', 20, { mayImpersonate: false }, 'permission_lost at 20'],
    [
      'a second factor that came to be required',
      20,
      { session: { ...session, stage: 'enrolment' } },
      'permission_lost at 20',
    ],
    ['the deletion of the customer', 20, { hasCustomer: false }, 'customer_deleted at 20'],
  ])('ends with %s', (_what, at, change, expected) => {
    expect(endAt(at, change)).toBe(expected)
  })

  test('that ended for several reasons ended for the first', () => {
    expect(endAt(50, revoked(35, 'signed_out'))).toBe('time at 30')
    expect(endAt(50, { ...revoked(25, 'signed_out'), mayImpersonate: false })).toBe('signed_out at 25')
    // The sweep of sessions marks an idle one later than its limit was.
    const swept = { ...session, idleExpiresAt: minute(10), revokedAt: minute(18), revokedReason: 'expired' }
    expect(endAt(20, { session: swept })).toBe('idle at 10')
  })
})
