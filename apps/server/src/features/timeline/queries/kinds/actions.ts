import type { Permission } from '@agency/contract/permissions'
import { deedOf, entryColumnsOf, isFirstOfDeed } from '../../../audit/index.ts'
import type { Source } from '../source.ts'

/** Whose audit entries are part of a customer's timeline, and who may see them there. */
export const resources: Readonly<Record<string, Permission>> = {
  customer: 'customers.read',
  customer_note: 'support.read',
  invoice: 'billing.read',
  payment: 'billing.read',
  purchase: 'billing.read',
  subscription: 'billing.read',
}

/** Of an action whose outcome the mirror shows by itself, that row tells it, with who did it. */
const isShown = `b.action = 'payment.refund' and (
    select true from refunds r where r.action_id = b.after ->> 'action_id' and r.deleted_at is null limit 1)`

/** A customer that is made has no entries of its own before it is there. */
const isTold = (alias: string): string[] => [
  `${alias}.resource_type in (${Object.keys(resources)
    .map((resource) => `'${resource}'`)
    .join(', ')})`,
  `(select true from customer_audit g where g.entry_id = ${alias}.id and g.customer_id = $1)`,
]

/** One deed is one line: it stands where it began (`b`), and tells how far it is (`e`). */
export const actions: readonly Source[] = Object.entries(resources).map(([resource, permission]) => ({
  name: `action.${resource}`,
  kind: 'action',
  permission,
  from: `customer_audit a join audit_entries b on b.id = a.entry_id
    join audit_entries e on e.id = coalesce(audit_deed_head(${deedOf('b')}), b.id)`,
  // The note itself tells that it was written.
  where: `a.customer_id = $1 and a.resource_type = '${resource}' and b.action <> 'customer_note.create'
    and ${isFirstOfDeed('b', isTold)} and (${isShown}) is not true`,
  at: 'a.at',
  id: 'a.entry_id',
  hasNumbers: true,
  columns: {
    object_id: 'e.resource_id',
    status: `coalesce(e.after ->> 'state', e.outcome)`,
    amount: `case when jsonb_typeof(e.after -> 'amount') = 'number' then round((e.after ->> 'amount')::numeric)::bigint end`,
    currency: `case when e.after ->> 'currency' ~ '^[a-z]{3}$' then e.after ->> 'currency' end`,
    actor: `case when e.actor_type in ('job', 'webhook') then b.actor_name else e.actor_name end`,
    detail: `coalesce(e.after ->> 'reason', b.after ->> 'reason')`,
    deed: deedOf('b'),
    words: `replace(b.action, '.', ' ')`,
    audit: `(select row_to_json(x) from (select ${entryColumnsOf(resource)}) x)`,
  },
}))
