import type { LightMyRequestResponse } from 'fastify'
import { asSystem } from '../src/context.ts'
import { ensureAdminKey } from '../src/features/auth/index.ts'
import { createTestContext, type TestContext } from './context.ts'
import { request } from './request.ts'

export const testAdminKey = 'the-key-of-this-test-long-enough'

/** Two processes on one database, with one clock and the same admin key. */
export async function createTwoProcesses(env: Record<string, string> = {}): Promise<[TestContext, TestContext]> {
  const settings = { ADMIN_KEY: testAdminKey, ...env }
  const first = await createTestContext({ env: settings, now: '2026-03-01T09:00:00Z' })
  const second = await createTestContext({ env: settings, database: first.database, clock: first.clock })
  await ensureAdminKey(asSystem(first.ctx, 'job', 'start'))
  return [first, second]
}

export function logIn({ ctx }: TestContext, key: string, address?: string): Promise<LightMyRequestResponse> {
  return request(ctx).anonymous(address).post('/auth/login', { key })
}

/** Signs in with the admin key; answers the session key. */
export async function signIn(test: TestContext, address?: string): Promise<string> {
  const response = await logIn(test, testAdminKey, address)
  if (response.statusCode !== 200) throw new Error(`sign-in refused: ${response.body}`)
  return response.json().session_key
}

export const getSession = ({ ctx }: TestContext, key: string, address?: string): Promise<LightMyRequestResponse> =>
  request(ctx).withKey(key, address).get('/auth/session')

/** What one request left in the audit log. */
export async function auditOf({ ctx }: TestContext, response: LightMyRequestResponse): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('audit_entries')
    .select(['action', 'outcome', 'actor_name'])
    .where('request_id', '=', String(response.headers['x-request-id']))
    .orderBy('id')
    .execute()
  return rows.map((row) => `${row.actor_name}: ${row.action} ${row.outcome}`)
}
