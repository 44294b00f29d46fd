import { expect, test } from 'vitest'
import { ProviderError } from './errors.ts'
import { portal } from './portal.ts'

const answering = (url: unknown, localOrigin: string | null = null) => {
  const asked: unknown[] = []
  const ask = async (...call: unknown[]) => {
    asked.push(call)
    return { object: 'billing_portal.session', id: 'bps_1', url, lastResponse: { requestId: 'req_1' } }
  }
  return { asked, ...portal(ask, localOrigin) }
}

test('asks for a session of the customer and answers its address', async () => {
  const { asked, createPortalSession } = answering('https://billing.stripe.com/p/session/live_1')
  expect(await createPortalSession('cus_1', 'https://console.example/admin')).toEqual({
    ...{ url: 'https://billing.stripe.com/p/session/live_1', requestId: 'req_1' },
  })
  await createPortalSession('cus_1')
  const path = '/v1/billing_portal/sessions'
  expect(asked).toEqual([
    ['POST', path, { customer: 'cus_1', return_url: 'https://console.example/admin' }],
    ['POST', path, { customer: 'cus_1' }],
  ])
})

test('a provider on this machine shows its pages where it listens', async () => {
  const { createPortalSession } = answering('https://billing.stripe.com/p/session/test_1', 'http://127.0.0.1:4242')
  expect((await createPortalSession('cus_1')).url).toBe('http://127.0.0.1:4242/p/session/test_1')
})

test.each([undefined, null, 7, '', '/p/session', 'javascript:alert(1)', 'http://billing.stripe.com/p/session/1'])(
  'no browser is sent to %s',
  async (url) => {
    await expect(answering(url).createPortalSession('cus_1')).rejects.toThrow(ProviderError)
    await expect(answering(url, 'http://127.0.0.1:1').createPortalSession('cus_1')).rejects.toThrow(ProviderError)
  },
)
