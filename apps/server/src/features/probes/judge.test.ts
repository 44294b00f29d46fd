import type { CheckSettings } from '@agency/contract/checks'
import { describe, expect, test } from 'vitest'
import type { Certificate } from '../../platform/probe/certificate.ts'
import { usualSettings } from './check-settings.ts'
import { type Before, type Finding, isUnconfirmed, judge, outcomeOf, sslOf } from './judge.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const day = 86_400_000

const certificate = (days: number, more: Partial<Certificate> = {}): Certificate => ({
  subject: 'shop.example',
  issuer: 'An Authority',
  names: ['shop.example'],
  validFrom: new Date(now - 30 * day),
  validTo: new Date(now + days * day),
  isTrusted: true,
  problem: null,
  ...more,
})
const fine: Finding = {
  ...{ status: 200, totalMs: 80, failure: null, certificate: certificate(60), tlsFailure: null, isEndless: false },
  names: null,
  answer: { status: 200, headers: {}, body: '', isCut: false, location: null },
}
const healthy: Before = { health: 'healthy', failures: 0, recent: 0, status: 'active' }
const healthOf = (finding: Partial<Finding>, before = healthy, changes: Partial<CheckSettings> = {}) => {
  const whole = { ...fine, ...finding }
  const settings = { ...usualSettings, ...changes }
  return judge(outcomeOf(whole, settings), whole, before, settings, now)
}

describe('health', () => {
  test.each([
    ['healthy', { status: 200 }],
    ['healthy', { status: 304 }],
    ['healthy', { status: 200, totalMs: 3000 }],
    ['degraded', { status: 200, totalMs: 3001 }],
    ['degraded', { status: 401 }],
    ['degraded', { status: 403 }],
    ['degraded', { status: 429 }],
    ['degraded', { certificate: certificate(13.9) }],
    ['healthy', { certificate: certificate(14) }],
    ['degraded', { certificate: certificate(-1) }],
    ['degraded', { certificate: certificate(60, { isTrusted: false, problem: 'Issued for another name' }) }],
    ['healthy', { certificate: null }],
    ['degraded', { isEndless: true }],
  ] as const)('is %s after %o', (health, finding) => expect(healthOf(finding).health).toBe(health))

  test.each([
    { status: 500 },
    { status: 522 },
    { status: 404 },
    { status: 410 },
    {
      status: null,
      failure: { reason: 'timeout' as const, message: 'No answer within 10 seconds' },
    },
  ])('is down after a second failure in a row: %o', (finding) => {
    const first = healthOf(finding)
    expect(first).toMatchObject({ health: 'healthy', failures: 1 })
    expect(first.detail).toMatch(/^Failed once/)
    const second = healthOf(finding, { ...healthy, failures: 1, recent: first.recent })
    expect(second).toMatchObject({ health: 'down', failures: 2 })
  })

  test('comes back with the first answer', () => {
    expect(healthOf({}, { health: 'down', failures: 9, recent: 3, status: 'active' })).toMatchObject({
      health: 'healthy',
      failures: 0,
    })
  })

  test('one failure leaves an unknown site unknown', () => {
    expect(healthOf({ status: 500 }, { ...healthy, health: 'unknown' }).health).toBe('unknown')
  })

  test('a site that was never deployed is not down', () => {
    const before: Before = { health: 'unknown', failures: 7, recent: 3, status: 'pending' }
    expect(healthOf({ status: 500 }, before).health).toBe('unknown')
  })
})

describe('down after some of the last checks', () => {
  /** One check after the other: `x` fails, `.` is answered. */
  const run = (looks: string, failures: number, of: number): string =>
    [...looks].reduce<{ before: Before; seen: string }>(
      ({ before, seen }, look) => {
        const judged = healthOf(look === 'x' ? { status: 500 } : {}, before, { failures, of })
        return { before: { ...judged, status: 'active' }, seen: seen + judged.health[0] }
      },
      { before: healthy, seen: '' },
    ).seen

  test.each([
    [1, 1, '.x.', 'hdh'],
    [2, 2, 'x.x.xx.', 'hhhhhdh'],
    [2, 3, 'x.x..', 'hhdhh'],
    [3, 5, 'xx..x.xx', 'hhhhdhhd'],
    [3, 3, 'xxxx.', 'hhddh'],
    [5, 5, 'xxxxx', 'hhhhd'],
  ])('%i of %i: %s is %s', (failures, of, looks, healths) => expect(run(looks, failures, of)).toBe(healths))

  test('says how many failed, and asks for another look until it is down', () => {
    const judged = healthOf({ status: 500 }, { ...healthy, failures: 1, recent: 0b101 }, { failures: 4, of: 5 })
    expect(judged.detail).toBe('Failed 3 of the last 5 checks. Answered with status 500')
    expect(isUnconfirmed(judged, healthy)).toBe(true)
    expect(isUnconfirmed(healthOf({ status: 500 }, { ...healthy, recent: 1 }), healthy)).toBe(false)
  })
})

test.each([
  [{ statuses: '500' }, { status: 500, answer: { ...fine.answer!, status: 500 } }, 'healthy'],
  [{ statuses: '404' }, {}, 'down'],
  [{ certificate_days: 30 }, { certificate: certificate(20) }, 'degraded'],
  [{ certificate_days: 0 }, { certificate: certificate(2) }, 'healthy'],
  [{ certificate_days: 0 }, { certificate: certificate(-2) }, 'degraded'],
] as const)('with %o, %o is %s', (changes, finding, health) => {
  expect(healthOf(finding, { ...healthy, failures: 1, recent: 1 }, changes).health).toBe(health)
})

describe('the certificate', () => {
  const sslOfFinding = (finding: Partial<Finding>, wasSeen = true) => sslOf({ ...fine, ...finding }, wasSeen, now)

  test('is active, expired or wrong as it was shown', () => {
    expect(sslOfFinding({})).toMatchObject({ status: 'active', issuer: 'An Authority' })
    expect(sslOfFinding({ certificate: certificate(-1, { isTrusted: false, problem: 'Expired' }) })?.status).toBe(
      'expired',
    )
    expect(sslOfFinding({ certificate: certificate(9, { isTrusted: false, problem: 'x' }) })?.status).toBe('error')
  })

  test('is wrong when TLS fails, and pending while the name leads nowhere', () => {
    expect(sslOfFinding({ certificate: null, tlsFailure: 'No secure connection' })?.status).toBe('error')
    const dns = { certificate: null, failure: { reason: 'dns' as const, message: '' } }
    expect(sslOfFinding(dns, false)?.status).toBe('pending')
    expect(sslOfFinding(dns, true)).toBeNull()
  })

  test('stays as it is known when nobody could be asked', () => {
    expect(sslOfFinding({ certificate: null, failure: { reason: 'connect', message: '' } })).toBeNull()
    expect(sslOfFinding({ certificate: null })).toBeNull()
  })
})
