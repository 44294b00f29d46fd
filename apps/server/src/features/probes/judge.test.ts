import { describe, expect, test } from 'vitest'
import type { Certificate } from '../../platform/probe/certificate.ts'
import { type Before, type Finding, judge, outcomeOf, sslOf } from './judge.ts'

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
const fine: Finding = { status: 200, totalMs: 80, failure: null, certificate: certificate(60), tlsFailure: null }
const healthy: Before = { health: 'healthy', failures: 0, status: 'active' }
const healthOf = (finding: Partial<Finding>, before = healthy) => {
  const whole = { ...fine, ...finding }
  return judge(outcomeOf(whole), whole, before, now)
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
    ['degraded', { certificate: certificate(60, { isTrusted: false, problem: 'It is for another name' }) }],
    ['healthy', { certificate: null }],
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
    const second = healthOf(finding, { ...healthy, failures: 1 })
    expect(second).toMatchObject({ health: 'down', failures: 2 })
  })

  test('comes back with the first answer', () => {
    expect(healthOf({}, { health: 'down', failures: 9, status: 'active' })).toMatchObject({
      health: 'healthy',
      failures: 0,
    })
  })

  test('one failure leaves an unknown site unknown', () => {
    expect(healthOf({ status: 500 }, { ...healthy, health: 'unknown' }).health).toBe('unknown')
  })

  test('a site that was never deployed is not down', () => {
    const before: Before = { health: 'unknown', failures: 7, status: 'pending' }
    expect(healthOf({ status: 500 }, before).health).toBe('unknown')
  })
})

describe('the certificate', () => {
  const sslOfFinding = (finding: Partial<Finding>, wasSeen = true) => sslOf({ ...fine, ...finding }, wasSeen, now)

  test('is active, expired or wrong as it was shown', () => {
    expect(sslOfFinding({})).toMatchObject({ status: 'active', issuer: 'An Authority' })
    expect(
      sslOfFinding({ certificate: certificate(-1, { isTrusted: false, problem: 'It has expired' }) })?.status,
    ).toBe('expired')
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
