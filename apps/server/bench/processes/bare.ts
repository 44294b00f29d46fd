import Fastify from 'fastify'
import pg from 'pg'
import { answerTheBenchmark } from './measured.ts'
import type { Captured } from './messages.ts'

// The reference: nothing but Fastify, and a pool of the same size.
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const statement = JSON.parse(process.env['BENCH_STATEMENT'] ?? 'null') as (Captured & { cursor: string }) | null
const bytes = Buffer.from(process.env['BENCH_BYTES'] ?? '', 'base64')
const app = Fastify()

app.get('/bytes', (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(bytes)
})

app.get<{ Querystring: { after: string } }>('/page', async (request, reply) => {
  if (!statement) throw new Error('there is no statement')
  const values = statement.values.map((value) => (value === statement.cursor ? request.query.after : value))
  const { rows } = await pool.query({ name: 'page', text: statement.text, values })
  const row = rows[0] as { items: string; has_more: boolean; total: number | null }
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(`{"items":${row.items},"has_more":${row.has_more},"total":${row.total}}`)
})

answerTheBenchmark({}, await app.listen({ port: 0, host: '127.0.0.1' }))
