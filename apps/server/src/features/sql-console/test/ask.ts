import { randomUUID } from 'node:crypto'
import type { SqlResult, SqlWrite } from '@agency/contract/sql-console'
import { createTestContext, type TestContext, type TestContextOptions } from '../../../../test/context.ts'
import { secretsEnv } from '../../../../test/people.ts'
import { type Caller, request } from '../../../../test/request.ts'
import { testAdminKey } from '../../../../test/sign-in.ts'
import { asSystem } from '../../../context.ts'
import { ensureAdminKey } from '../../auth/index.ts'

export const newQueryId = (): string => randomUUID().replaceAll('-', '')

export type SqlWorld = { t: TestContext; root: Caller; adminKey: string; env: Record<string, string> }

/** A console whose admin key is known. */
export async function openSqlWorld(options: TestContextOptions = {}): Promise<SqlWorld> {
  const env = { ...secretsEnv, ADMIN_KEY: testAdminKey, ...options.env }
  const t = await createTestContext({ ...options, env })
  await ensureAdminKey(asSystem(t.ctx, 'job', 'start'))
  return { t, root: request(t.ctx).withKey(testAdminKey), adminKey: testAdminKey, env }
}

export async function ask(
  caller: Caller,
  query: string,
  parameters: (string | null)[] = [],
  id = newQueryId(),
): Promise<SqlResult> {
  const answer = await caller.post('/admin/sql/queries', { id, query, parameters })
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`)
  return answer.json()
}

/** The one cell of a result. */
export async function askOne(
  caller: Caller,
  query: string,
  parameters: (string | null)[] = [],
): Promise<string | null> {
  const { rows, error } = await ask(caller, query, parameters)
  if (error) throw new Error(error.message)
  return rows[0]?.[0] ?? null
}

export type WriteOrder = {
  query: string
  parameters?: string[]
  reason?: string
  identity_proof?: string
  all_rows?: boolean
}

export const orderOf = (order: WriteOrder) => ({
  ...{ id: newQueryId(), parameters: [], reason: 'Put right by hand', identity_proof: testAdminKey },
  ...order,
})

export async function change(caller: Caller, order: WriteOrder): Promise<SqlWrite> {
  const answer = await caller.post('/admin/sql/writes', orderOf(order))
  const { write } = answer.json()
  if (!write) throw new Error(`${answer.statusCode}: ${answer.body}`)
  return write
}
