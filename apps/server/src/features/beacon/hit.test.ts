import { expect, test } from 'vitest'
import { hostsOf, isRobot, ownHost, readHit } from './hit.ts'
import { beaconScript, mostScriptBytes } from './script.ts'

test.each([
  ['view', { kind: 'view' }],
  ['goal signup', { kind: 'goal', goal: 'signup' }],
  ['goal Sign-Up_2', { kind: 'goal', goal: 'sign-up_2' }],
  ['goal ', null],
  ['goal a b', null],
  ['goal ada@example.com', null],
  [`goal ${'a'.repeat(41)}`, null],
  ['views', null],
  ['', null],
  ['{"kind":"view"}', null],
])('reads %j', (body, hit) => {
  expect(readHit(body)).toEqual(hit)
})

test.each([
  ['https://harbour.example', true],
  ['http://www.harbour.example:8080', true],
  ['https://harbour.example.evil.example', false],
  ['https://evil.example', false],
  ['null', false],
  ['file://harbour.example', false],
  [undefined, false],
])('of the origin %s: %s', (origin, isOwn) => {
  expect(ownHost(origin, ['harbour.example', 'www.harbour.example'])).toBe(isOwn)
})

test('a site is heard under its domain with and without www, its subdomain and where it is deployed', () => {
  expect(hostsOf({ domain: 'a.example', subdomain: 'b.example', deployment_url: 'https://a.pages.dev/x' })).toEqual([
    ...['a.example', 'www.a.example', 'b.example', 'a.pages.dev'],
  ])
  expect(hostsOf({ domain: 'www.a.example', subdomain: null, deployment_url: null })).toEqual([
    'www.a.example',
    'a.example',
  ])
})

test('robots that say so are no visitors', () => {
  expect(isRobot('Mozilla/5.0 (compatible; Googlebot/2.1)')).toBe(true)
  expect(isRobot(undefined)).toBe(true)
  expect(isRobot('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36')).toBe(false)
})

test('the script is a kilobyte at most, and keeps nothing in the browser', () => {
  expect(Buffer.byteLength(beaconScript)).toBeLessThanOrEqual(mostScriptBytes)
  expect(beaconScript).not.toMatch(/cookie|localStorage|sessionStorage|indexedDB/)
})
