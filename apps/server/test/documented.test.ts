import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { expectDocumented } from './documented.ts'

type Answer = { method?: string; url: string; status?: number; type?: string; body: unknown }

const check =
  ({ method = 'GET', url, status = 200, type = 'application/json; charset=utf-8', body }: Answer) =>
  () =>
    expectDocumented({
      raw: { req: { method, url } },
      statusCode: status,
      headers: { 'content-type': type },
      body: JSON.stringify(body),
    } as unknown as LightMyRequestResponse)

const url = '/api/admin/audit/facets?x=1'
const good = { actions: ['a.b'], resources: ['a'] }
const problem = { type: 't', title: 'T', status: 404, detail: 'D', code: 'not_found', requestId: 'r' }

test('an answer as documented is good', () => {
  expect(check({ url, body: good })).not.toThrow()
  expect(check({ url, status: 404, type: 'application/problem+json', body: problem })).not.toThrow()
  expect(check({ url: '/healthz', body: 'anything' })).not.toThrow()
})

test.each<[string, Answer]>([
  ['a field too many', { url, body: { ...good, has_more: false } }],
  ['a field too few', { url, body: { actions: [] } }],
  ['a field of another type', { url, body: { ...good, actions: [1] } }],
  ['another media type', { url, type: 'text/html', body: good }],
  ['a problem that is none', { url, status: 404, type: 'application/problem+json', body: { error: 'gone' } }],
  ['a call that the document does not have', { url: '/api/admin/secret', body: {} }],
])('%s contradicts the document', (_, answer) => {
  expect(check(answer)).toThrow('contradicts openapi.json')
})
