import { type Client, escapeIdentifier } from 'pg'
import { bindBeside, findBeside, takeOffBeside } from './beside.ts'
import { findMovable, findTables, qualified } from './catalog.ts'
import { asideSchema, dropSchema, loadingSchema } from './load-archive.ts'

const live = 'public'
/** On the way from the one to the other, and what an earlier switch had set aside. */
const leaving = 'leaving'
const gone = 'set_aside_before'
/** Shorter than a request waits for a lock: those that come meanwhile wait behind. */
const lockTimeoutMs = 3000

/** Copies what is never taken back from what is replaced into what takes its place; both by the names of their schemas. */
export type Keep = (client: Client, from: string, to: string) => Promise<void>

async function moveAll(client: Client, from: string, to: string): Promise<void> {
  for (const { kind, name } of await findMovable(client, from))
    await client.query(`alter ${kind} ${escapeIdentifier(from)}.${name} set schema ${escapeIdentifier(to)}`)
}

/** Whoever writes ends first, and nobody begins: what is kept has to be all that there is. */
async function lockAll(client: Client): Promise<void> {
  const tables = (await findTables(client, live)).map(({ name }) => qualified(live, name))
  if (tables.length > 0) await client.query(`lock table ${tables.join(', ')} in access exclusive mode`)
}

export type Switch = {
  /** Where what takes the place lies: loaded there, or set aside by an earlier switch. */
  from: typeof loadingSchema | typeof asideSchema
  keep: Keep
  /** In the same transaction, once everything has its place: what is written down about it. */
  record(now: { hasAside: boolean }): Promise<void>
}

/**
 * Puts what was loaded in the place of what is there, in one transaction: afterwards all of it is new, or nothing is. What was
 * there is set aside, whole.
 */
export async function switchSchemas(client: Client, { from, keep, record }: Switch): Promise<void> {
  await dropSchema(client, leaving)
  await dropSchema(client, gone)
  const isFirst = (await findTables(client, live)).length === 0
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await lockAll(client)
    // What triggers write beside a row goes where the row goes.
    await client.query(`set local search_path = ${escapeIdentifier(from)}, ${live}`)
    if (!isFirst) await keep(client, live, from)
    await client.query('set constraints all immediate')
    // Else names would be said without their schema, and mean another one once things have moved.
    await client.query(`set local search_path = ''`)
    const beside = await findBeside(client, live)
    await takeOffBeside(client, beside)
    if (from === loadingSchema && (await isThere(client, asideSchema)))
      await client.query(`alter schema ${asideSchema} rename to ${gone}`)
    await client.query(`create schema ${leaving}`)
    await moveAll(client, live, leaving)
    await moveAll(client, from, live)
    await client.query(`drop schema ${escapeIdentifier(from)}`)
    await client.query(isFirst ? `drop schema ${leaving} cascade` : `alter schema ${leaving} rename to ${asideSchema}`)
    await bindBeside(client, live, beside)
    await client.query(`set local search_path = public`)
    await record({ hasAside: !isFirst })
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
  // Whoever ends before this has it dropped by the next switch.
  await dropSchema(client, gone).catch(() => {})
}

async function isThere(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regnamespace($1) is not null as found', [schema])
  return rows[0]?.found === true
}
