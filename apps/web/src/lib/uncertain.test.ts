import { expect, test } from 'vitest'
import { badAnswer, noKey, problemOf, unreachable } from './problems.ts'
import { isUncertain } from './uncertain.ts'

const problem = (status: number, code?: string, requestId?: string) =>
  problemOf(Response.json({ code, requestId, title: '', detail: '' }, { status }))

test.each([
  ['a lost connection', unreachable(), true],
  ['an answer that cannot be read', badAnswer(new Response('{"suc')), true],
  ['what the console does not know itself', problem(504, 'outcome_unknown', 'req_1'), true],
  ['an error within the console', problem(500, 'internal', 'req_1'), true],
  ['a database that was lost, be it in the commit', problem(503, 'unavailable', 'req_1'), true],
  ['a gateway that gave up', problemOf(new Response('<html>', { status: 502 })), true],
  ['an answer of ours that a gateway has cut down', problem(503, 'provider_rate_limit'), true],
  ['a provider that refused our key', problem(502, 'provider_auth', 'req_1'), false],
  ['a provider that was not reached', problem(503, 'provider_unavailable', 'req_1'), false],
  ['a refusal', problem(409, 'conflict', 'req_1'), false],
  ['a refusal on the way', problemOf(new Response('<html>', { status: 413 })), false],
  ['what was never sent', noKey(), false],
])('%s', async (_, error, isOpen) => {
  expect(isUncertain(await error)).toBe(isOpen)
})
