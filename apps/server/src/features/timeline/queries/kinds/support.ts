import type { Source } from '../source.ts'

export const notes: Source = {
  name: 'note',
  kind: 'note',
  permission: 'support.read',
  from: 'customer_notes n',
  where: 'n.customer_id = $1 and n.deleted_at is null',
  at: 'n.created_at',
  id: 'n.id',
  columns: { object_id: 'n.customer_id', actor: 'n.author_name', detail: 'n.text' },
}

/** What was written to the address that the customer has now. */
export const mails: Source = {
  name: 'mail',
  kind: 'mail',
  permission: 'admin.system',
  from: 'mails m',
  where: `lower(m.to_address) = (select lower(email) from customers where id = $1) and m.user_id is null`,
  at: 'm.created_at',
  id: 'm.id',
  columns: { status: 'm.state', detail: 'm.subject' },
}
