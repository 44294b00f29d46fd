import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../test/context.ts'
import { request } from '../../test/request.ts'
import { openTracer } from './otlp.ts'
import { inRoot, inSpan, type Tracer } from './tracing.ts'

type Value = { stringValue?: string; intValue?: number | string; boolValue?: boolean }
type Sent = {
  name: string
  spanId: string
  parentSpanId?: string
  traceId: string
  kind: number
  attributes: { key: string; value: Value }[]
  status: { code?: number; message?: string }
}
type Export = {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] }
    scopeSpans: { spans: Sent[] }[]
  }[]
}

/** A collector: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
const bodies: string[] = []
const collector = createServer(async (asked, answer) => {
  if (asked.url === '/v1/traces') bodies.push(await text(asked))
  answer.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})

let t: TestContext
let tracer: Tracer

beforeEach(async () => {
  bodies.length = 0
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  tracer = await openTracer(`http://127.0.0.1:${port}`, '1.2.3')
  t = await createTestContext()
  Object.assign(t.ctx, { tracer })
})
afterEach(async () => {
  await t.close()
  collector.closeAllConnections()
  collector.close()
})

const sent = (): Sent[] =>
  bodies.flatMap((body) =>
    (JSON.parse(body) as Export).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  )
const attributesOf = ({ attributes }: Sent): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

test('a request is a span with the pattern of its route, its status and its id, and nothing of what was asked', async () => {
  const answer = await request(t.ctx).as('super_admin').get('/alerts/alert_of_ada?search=secret-words')
  await tracer.stop()
  const span = sent().find(({ name }) => name === 'GET /api/alerts/:id')
  expect(attributesOf(span!)).toEqual({
    ...{
      'http.request.method': 'GET',
      'http.route': '/api/alerts/:id',
      'http.response.status_code': answer.statusCode,
    },
    'request.id': answer.headers['x-request-id'],
  })
  expect(bodies.join()).not.toMatch(/alert_of_ada|secret-words/)
  const [{ resource }] = (JSON.parse(bodies[0]!) as Export).resourceSpans as [Export['resourceSpans'][number]]
  expect(attributesOf({ attributes: resource.attributes } as Sent)).toMatchObject({
    ...{ 'service.name': 'agency-console', 'service.version': '1.2.3' },
  })
})

test('a call to a provider is part of its job; a failure is told by its kind', async () => {
  const failing = inRoot(tracer, 'job billing.sync', 'consumer', { 'job.attempt': 2 }, () =>
    inSpan('stripe GET /v1/customers/:id', {}, async () => {
      throw new RangeError('cus_123 of sk_live_1')
    }),
  )
  await expect(failing).rejects.toThrow('cus_123')
  await tracer.stop()
  const [call, job] = ['stripe GET /v1/customers/:id', 'job billing.sync'].map((name) =>
    sent().find((span) => span.name === name),
  )
  expect(call).toMatchObject({ parentSpanId: job?.spanId, traceId: job?.traceId, status: { code: 2 } })
  expect(attributesOf(call!)).toEqual({ 'error.type': 'RangeError' })
  expect(bodies.join()).not.toMatch(/cus_123|sk_live/)
})

test('a collector that is away holds up neither work nor the end', async () => {
  collector.closeAllConnections()
  collector.close()
  expect(await inRoot(tracer, 'job', 'consumer', {}, async () => 'done')).toBe('done')
  const start = performance.now()
  await tracer.stop()
  expect(performance.now() - start).toBeLessThan(5000)
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
})
