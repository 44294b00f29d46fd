import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

type Db = Kysely<DB>

export type Command = { id: string; kind: 'report' | 'find' | 'clear'; name: string | null; pattern: string | null }

export async function insertCommand(db: Db, { id, kind, name, pattern }: Command, at: Date): Promise<void> {
  await sql`
    insert into cache_commands (id, kind, name, pattern, created_at)
    values (${id}, ${kind}, ${name}, ${pattern}, ${at})`.execute(db)
}

/** Those that this process has not answered; older ones nobody waits for. */
export async function findOpenCommands(db: Db, process: string, since: Date): Promise<Command[]> {
  const { rows } = await sql<Command>`
    select c.id, c.kind, c.name, c.pattern from cache_commands c
    where c.created_at >= ${since}
      and not exists (select from cache_replies r where r.command_id = c.id and r.process = ${process})
    order by c.created_at`.execute(db)
  return rows
}

export type Reply = { process: string; name: string; keys: number; samples: string[] }

/** One statement: a process has answered for all of its caches, or not at all. */
export async function insertReplies(db: Db, commandId: string, replies: readonly Reply[]): Promise<void> {
  await sql`
    insert into cache_replies (command_id, process, name, keys, samples)
    select ${commandId}, r.process, r.name, r.keys, array(select jsonb_array_elements_text(r.samples))
    from jsonb_to_recordset(${JSON.stringify(replies)}::jsonb) as r (process text, name text, keys int, samples jsonb)
    where exists (select from cache_commands c where c.id = ${commandId})
    on conflict do nothing`.execute(db)
}

export async function findReplies(db: Db, commandId: string): Promise<Reply[]> {
  const { rows } = await sql<Reply>`
    select process, name, keys, samples from cache_replies where command_id = ${commandId} order by name, process`.execute(
    db,
  )
  return rows
}
