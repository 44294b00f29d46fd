import { createHash } from 'node:crypto'
import type { Query } from '../store/reader.ts'
import { keyReused } from './errors.ts'
import type { FormHash } from './form.ts'

export type KeptAnswer = { status: number; body: string; requestId: string }

const canonical = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, canonical(inner)]),
      )
    : value

export const hashRequest = (method: string, path: string, form: FormHash) =>
  createHash('sha256')
    .update(`${method} ${path} ${JSON.stringify(canonical(form))}`)
    .digest('hex')

const lifetime = '24 hours'

/** What was answered under this key, refused when it was asked something else. */
export async function findAnswer(
  query: Query,
  schema: string,
  key: string,
  hash: string,
): Promise<KeptAnswer | undefined> {
  const { rows } = await query<KeptAnswer & { hash: string }>(
    `select hash, status, body, request_id as "requestId" from ${schema}.idempotency
     where key = $1 and kept_at > now() - interval '${lifetime}'`,
    [key],
  )
  const kept = rows[0]
  if (kept && kept.hash !== hash) throw keyReused(key)
  return kept
}

export async function keepAnswer(
  query: Query,
  schema: string,
  key: string,
  hash: string,
  answer: KeptAnswer,
): Promise<void> {
  await query(
    `insert into ${schema}.idempotency (key, hash, status, body, request_id) values ($1, $2, $3, $4, $5)
     on conflict (key) do update set hash = excluded.hash, status = excluded.status, body = excluded.body,
       request_id = excluded.request_id, kept_at = now()
     where idempotency.kept_at <= now() - interval '${lifetime}'`,
    [key, hash, answer.status, answer.body, answer.requestId],
  )
}
