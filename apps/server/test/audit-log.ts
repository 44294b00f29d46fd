import type { AuditVerification } from '@agency/contract/types'
import { asSystem, inTransaction } from '../src/context.ts'
import { createHeadKeeper } from '../src/features/audit/index.ts'
import { recordAudit } from '../src/platform/audit.ts'
import { runJob, type TestContext } from './context.ts'
import { request } from './request.ts'

const entry = (index: number) => ({
  ...{ action: 'user.update', resource: 'user', id: `u_${index}`, before: { n: index }, after: { n: index + 1 } },
})

/** Writes entries, each in a transaction of its own. */
export async function writeEntries({ ctx }: TestContext, count: number, writer = 'test'): Promise<void> {
  for (let index = 0; index < count; index++)
    await inTransaction(asSystem(ctx, 'job', writer), (tx) => recordAudit(tx, entry(index)))
}

const tables = ['audit_entries', 'audit_chain', 'audit_head']

/** Changes the log around its triggers, as whoever owns the database may. */
export async function tamper({ ctx }: TestContext, ...statements: string[]): Promise<void> {
  const client = await ctx.pool.connect()
  try {
    await client.query('begin')
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
    for (const statement of statements) await client.query(statement)
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
    await client.query('commit')
  } finally {
    client.release()
  }
}

/** Cuts off what is behind a place; the second statement lets the head forget it too. */
export const cutBehind = (seq: number): string[] => [
  `delete from audit_entries where id in (select entry_id from audit_chain where seq > ${seq})`,
  `delete from audit_chain where seq > ${seq}`,
]
export const setHeadBack = `update audit_head
  set (seq, hash) = (select seq, hash from audit_chain order by seq desc limit 1)`

export async function entryAt({ ctx }: TestContext, seq: number): Promise<string> {
  const { rows } = await ctx.pool.query('select entry_id from audit_chain where seq = $1', [seq])
  return String(rows[0]?.entry_id)
}

async function newest({ ctx }: TestContext): Promise<AuditVerification> {
  // What the job changed may not have been heard yet.
  ctx.changes.tell('audit')
  return (await request(ctx).as(['admin.system']).get('/admin/audit/chain')).json().verification
}

/** Asks for a verification and lets it run. */
export async function verify(test: TestContext): Promise<AuditVerification> {
  await request(test.ctx).as(['admin.system']).post('/admin/audit/verify')
  await test.runJobs()
  return newest(test)
}

/** The same without an entry that says so: further entries would go on from the head. */
export async function verifyQuietly(test: TestContext, checked = 0): Promise<AuditVerification> {
  await test.ctx.pool.query(
    `insert into audit_verifications (id, state, started_at, started_by, total, checked)
    values ('v', 'running', now(), 'test', 0, $1)`,
    [checked],
  )
  await runJob(test.ctx, 'audit.verify')
  return newest(test)
}

/** Writes the head of now outside the database, as a console does a second after each change. */
export async function anchor({ ctx }: TestContext): Promise<void> {
  const keeper = createHeadKeeper(ctx)
  await keeper.start()
  await keeper.stop()
}

/** Seals everything behind a place anew, as whoever owns the database can: the chain fits together again. */
export const rechain = (from: number): string => `do $$
  declare link record; previous bytea := (select hash from audit_chain where seq = ${from - 1});
  begin
    for link in select c.seq, e from audit_chain c join audit_entries e on e.id = c.entry_id where c.seq >= ${from} order by c.seq loop
      previous := audit_digest(link.e, link.seq, previous);
      update audit_chain set hash = previous where seq = link.seq;
    end loop;
    update audit_head set hash = previous;
  end $$`
