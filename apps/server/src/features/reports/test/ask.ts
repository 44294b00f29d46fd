import type { ResponseOf } from '@agency/contract/endpoint'
import type { getRevenueReport, getRevenueRows } from '@agency/contract/reports-revenue'
import { expect } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/context.ts'
import { request } from '../../../../test/request.ts'
import { customer, write } from './objects.ts'

export type Report = ResponseOf<typeof getRevenueReport>
export type Rows = ResponseOf<typeof getRevenueRows>

export const year = 'range=custom&from=2026-01-01&to=2026-11-25'

export async function openReports(now = '2026-11-25T12:00:00Z'): Promise<TestContext> {
  const t = await createTestContext({ now })
  await write(t, 'customer', [customer('cus_1')])
  return t
}

async function get<T>(t: TestContext, path: string): Promise<T> {
  const answer = await request(t.ctx).as('super_admin').get(path)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as T
}

export const reportOf = (t: TestContext, query: string): Promise<Report> => get(t, `/reports/revenue?${query}`)

/** The rows behind a figure, which add up to it. */
export async function rowsBehind(t: TestContext, query: string): Promise<Rows> {
  const found = await get<Rows>(t, `/reports/revenue/rows?${query}`)
  expect(found.rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(found.total)
  return found
}
