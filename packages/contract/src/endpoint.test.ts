import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const call = { method: 'GET', path: '/nothing', summary: 'Nothing', response: z.object({}) } as const

test('an endpoint is what it declares', () => {
  expect(endpoint({ ...call, permission: 'billing.read' }).permission).toBe('billing.read')
})

test('an endpoint without a permission, or with one that does not exist, does not compile', () => {
  // @ts-expect-error: the type check of this package fails as soon as this compiles.
  expect(endpoint(call)).not.toHaveProperty('permission')
  // @ts-expect-error: the same.
  expect(endpoint({ ...call, permission: 'everything' }).permission).toBe('everything')
})
