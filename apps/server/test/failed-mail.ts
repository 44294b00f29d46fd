import { randomUUID } from 'node:crypto'
import { type AppContext, asSystem, inTransaction } from '../src/context.ts'
import { queueMail } from '../src/features/mail/index.ts'

/** The id of a message that could not be sent. */
export async function failedMail(ctx: AppContext): Promise<string> {
  const kind = `test ${randomUUID()}`
  const kept = { kind, to: { address: 'a@example.com', name: null }, subject: 'Hello', text: 'Hello' }
  await inTransaction(asSystem(ctx, 'job', 'test'), (tx) => queueMail(tx, kept))
  const { rows } = await ctx.pool.query(`update mails set state = 'failed' where kind = $1 returning id`, [kind])
  return rows[0].id
}
