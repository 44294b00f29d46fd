import { randomUUID } from 'node:crypto'
import type { sqlConsole } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import type { SqlSnippet } from '@agency/contract/sql-console'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import {
  countSnippetsOf,
  deleteSnippetRow,
  findSnippet,
  findSnippets,
  insertSnippet,
  lockSnippet,
  patchSnippet,
  type SnippetRow,
} from '../queries/snippets.ts'

const mostSnippets = 200

const isOwn = ({ actor }: Pick<RequestContext, 'actor'>, row: SnippetRow): boolean =>
  row.owner_type === actor.type && row.owner_id === actor.id

const shown = (ctx: RequestContext, row: SnippetRow): SqlSnippet => ({
  ...{ id: row.id, name: row.name, query: row.query, is_shared: row.is_shared, owner: row.owner_name },
  ...{ is_mine: isOwn(ctx, row), updated_at: row.updated_at.toISOString(), version: row.version },
})

export const listSnippets = async (ctx: RequestContext): Promise<{ snippets: SqlSnippet[] }> => ({
  snippets: (await findSnippets(ctx)).map((row) => shown(ctx, row)),
})

/** To others one that is not shared does not exist. */
export async function getSnippet(ctx: RequestContext, id: string): Promise<SqlSnippet> {
  const row = await findSnippet(ctx, id)
  if (!row || !(row.is_shared || isOwn(ctx, row))) throw notFound(`Snippet ${id}`)
  return shown(ctx, row)
}

export async function createSnippet(
  ctx: RequestContext,
  terms: BodyOf<typeof sqlConsole.createSnippet>,
  claim: Claim | null,
): Promise<SqlSnippet> {
  const id = `snippet_${randomUUID()}`
  await inTransaction(ctx, async (tx) => {
    await bindKey(tx, claim, id)
    if ((await countSnippetsOf(tx)) >= mostSnippets)
      throw new AppError('conflict', `You have ${mostSnippets} snippets. Delete one first.`)
    const { type, id: owner_id, name } = tx.actor
    const now = new Date(tx.clock())
    const owner = { owner_type: type, owner_id, owner_name: name }
    await insertSnippet(tx, { id, ...terms, ...owner, created_at: now, updated_at: now })
    await recordAudit(tx, { action: 'sql_snippet.create', resource: 'sql_snippet', id, after: terms })
  })
  return getSnippet(ctx, id)
}

export async function updateSnippet(
  ctx: RequestContext,
  id: string,
  { version, ...terms }: BodyOf<typeof sqlConsole.updateSnippet>,
): Promise<SqlSnippet> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwn(tx, id)
    if (row.version !== version)
      throw new AppError('conflict', 'Someone else changed this snippet. Nothing was saved: reload it first.', {
        parameter: 'version',
      })
    await patchSnippet(tx, id, { ...terms, version: version + 1, updated_at: new Date(tx.clock()) })
    const { name, query, is_shared } = row
    const before = { name, query, is_shared }
    await recordAudit(tx, { action: 'sql_snippet.update', resource: 'sql_snippet', id, before, after: terms })
  })
  return getSnippet(ctx, id)
}

export async function removeSnippet(ctx: RequestContext, id: string): Promise<{ success: true }> {
  await inTransaction(ctx, async (tx) => {
    const { name, query, is_shared } = await lockOwn(tx, id)
    await deleteSnippetRow(tx, id)
    const before = { name, query, is_shared }
    await recordAudit(tx, { action: 'sql_snippet.delete', resource: 'sql_snippet', id, before })
  })
  return { success: true }
}

async function lockOwn(tx: TransactionContext, id: string): Promise<SnippetRow> {
  const row = await lockSnippet(tx, id)
  if (!row || !(row.is_shared || isOwn(tx, row))) throw notFound(`Snippet ${id}`)
  if (!isOwn(tx, row)) throw new AppError('forbidden', `Only ${row.owner_name} can change this snippet`)
  return row
}
