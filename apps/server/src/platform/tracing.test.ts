import { expect, test } from 'vitest'
import { inRoot, inSpan, type Span, templateOf } from './tracing.ts'

/** Keeps what was told of spans, as lines. */
function recorder() {
  const told: string[] = []
  const span = (path: string): Span => ({
    child: (name) => span(`${path} > ${name}`),
    rename: (name) => told.push(`${path} renamed ${name}`),
    set: (attributes) => told.push(`${path} ${JSON.stringify(attributes)}`),
    fail: (error) => told.push(`${path} failed ${(error as Error).name}`),
    end: () => told.push(`${path} ended`),
  })
  return { told, tracer: { start: (name: string) => span(name), stop: async () => {} } }
}

test('what is done for a job is part of it, each with its own end', async () => {
  const { told, tracer } = recorder()
  const ask = (name: string) => inSpan(name, {}, async () => name)
  const done = await inRoot(tracer, 'job', 'consumer', {}, () => Promise.all([ask('a'), ask('b')]))
  expect(done).toEqual(['a', 'b'])
  expect(told.filter((line) => line.endsWith('ended'))).toEqual(['job > a ended', 'job > b ended', 'job ended'])
})

test('a failure is told by its kind, and thrown on', async () => {
  const { told, tracer } = recorder()
  const failing = inRoot(tracer, 'job', 'consumer', {}, () =>
    inSpan('call', {}, async () => {
      throw new TypeError('with the key sk_live_1')
    }),
  )
  await expect(failing).rejects.toThrow('sk_live_1')
  expect(told).toContain('job > call failed TypeError')
  expect(told.join()).not.toContain('sk_live_1')
})

test('outside of a span, or where nobody collects, there is only the work', async () => {
  const seen: unknown[] = []
  await inSpan('call', {}, async (span) => seen.push(span))
  await inRoot(null, 'job', 'consumer', {}, () => inSpan('call', {}, async (span) => seen.push(span)))
  expect(seen).toEqual([null, null])
})

test.each([
  ['/v1/customers', '/v1/customers'],
  ['/v1/customers/cus_123/sources?limit=3', '/v1/customers/:id/sources'],
  ['/v1/payment_intents/pi_1', '/v1/payment_intents/:id'],
  [
    '/accounts/0123456789abcdef0123456789abcdef/pages/projects/my-site2/deployments',
    '/accounts/:id/pages/projects/:id/deployments',
  ],
  ['/client/v4/zones/0123456789abcdef0123456789abcdef', '/client/v4/zones/:id'],
])('%s is named %s', (path, template) => {
  expect(templateOf(path)).toBe(template)
})
