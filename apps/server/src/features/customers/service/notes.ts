import { randomUUID } from 'node:crypto'
import type { listCustomerNotes } from '@agency/contract/customers'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { CustomerNote } from '@agency/contract/types'
import { type Actor, inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import { findNotes, hasCustomer, insertNote, lockNote, type NoteRow, patchNote } from '../queries/notes.ts'

const isAuthor = (actor: Actor, note: NoteRow): boolean =>
  note.author_type === actor.type && note.author_id === actor.id

const mayChange = (actor: Actor, note: NoteRow): boolean =>
  actor.permissions.has('support.write') && (actor.role === 'super_admin' || isAuthor(actor, note))

const toNote = (row: NoteRow, actor: Actor): CustomerNote => ({
  id: row.id,
  text: row.text,
  author_name: row.author_name,
  created_at: row.created_at.toISOString(),
  edited_at: row.edited_at?.toISOString() ?? null,
  edited_by: row.edited_by,
  can_change: mayChange(actor, row),
})

export async function listNotes(
  ctx: RequestContext,
  customerId: string,
  { limit, starting_after: after }: QueryOf<typeof listCustomerNotes>,
): Promise<ResponseOf<typeof listCustomerNotes>> {
  if (!(await hasCustomer(ctx.db, customerId))) throw notFound(`Customer ${customerId}`)
  const rows = await findNotes(ctx.db, customerId, { limit: limit + 1, after })
  if (!rows) throw invalidParameter('starting_after', 'must be the id of a note of this customer')
  return { notes: rows.slice(0, limit).map((row) => toNote(row, ctx.actor)), has_more: rows.length > limit }
}

export function createNote(ctx: RequestContext, customerId: string, text: string): Promise<CustomerNote> {
  return inTransaction(ctx, async (tx) => {
    if (!(await hasCustomer(tx.db, customerId))) throw notFound(`Customer ${customerId}`)
    const note = await insertNote(tx.db, {
      id: `note_${randomUUID().replaceAll('-', '')}`,
      customer_id: customerId,
      text,
      author_type: tx.actor.type,
      author_id: tx.actor.id,
      author_name: tx.actor.name,
      created_at: new Date(tx.clock()),
    })
    const after = { customer_id: customerId, text }
    await recordAudit(tx, { action: 'customer_note.create', resource: 'customer_note', id: note.id, after })
    return toNote(note, tx.actor)
  })
}

async function lockChangeable(tx: TransactionContext, customerId: string, id: string): Promise<NoteRow> {
  const note = await lockNote(tx.db, customerId, id)
  if (!note) throw notFound(`Note ${id}`)
  if (!mayChange(tx.actor, note))
    throw new AppError('forbidden', `Only ${note.author_name}, who wrote this note, or a super admin may change it`)
  return note
}

export function updateNote(ctx: RequestContext, customerId: string, id: string, text: string): Promise<CustomerNote> {
  return inTransaction(ctx, async (tx) => {
    const note = await lockChangeable(tx, customerId, id)
    if (note.text === text) return toNote(note, tx.actor)
    const edited = await patchNote(tx.db, id, {
      text,
      edited_at: new Date(tx.clock()),
      edited_by: isAuthor(tx.actor, note) ? null : tx.actor.name,
    })
    await recordAudit(tx, {
      action: 'customer_note.update',
      resource: 'customer_note',
      id,
      before: { customer_id: customerId, text: note.text },
      after: { customer_id: customerId, text },
    })
    return toNote(edited, tx.actor)
  })
}

export function deleteNote(ctx: RequestContext, customerId: string, id: string): Promise<{ success: true }> {
  return inTransaction(ctx, async (tx) => {
    const note = await lockChangeable(tx, customerId, id)
    await patchNote(tx.db, id, { deleted_at: new Date(tx.clock()) })
    const before = { customer_id: customerId, text: note.text, author_name: note.author_name }
    await recordAudit(tx, { action: 'customer_note.delete', resource: 'customer_note', id, before })
    return { success: true }
  })
}
