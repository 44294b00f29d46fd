import type { Permission } from '@agency/contract/permissions'
import { entryColumns } from '../../../audit/index.ts'
import type { Source } from '../source.ts'

/** Whose audit entries are part of a customer's timeline, and who may see them there. */
const resources: Readonly<Record<string, Permission>> = {
  customer: 'customers.read',
  customer_note: 'support.read',
  invoice: 'billing.read',
  payment: 'billing.read',
  purchase: 'billing.read',
  subscription: 'billing.read',
}

export const actions: readonly Source[] = Object.entries(resources).map(([resource, permission]) => ({
  name: `action.${resource}`,
  kind: 'action',
  permission,
  from: 'customer_audit a join audit_entries e on e.id = a.entry_id',
  // The note itself tells that it was written.
  where: `a.customer_id = $1 and a.resource_type = '${resource}' and e.action <> 'customer_note.create'`,
  at: 'a.at',
  id: 'a.entry_id',
  hasNumbers: true,
  columns: {
    object_id: 'e.resource_id',
    status: `coalesce(e.after ->> 'state', e.outcome)`,
    amount: `case when jsonb_typeof(e.after -> 'amount') = 'number' then round((e.after ->> 'amount')::numeric)::bigint end`,
    currency: `case when e.after ->> 'currency' ~ '^[a-z]{3}$' then e.after ->> 'currency' end`,
    actor: 'e.actor_name',
    detail: `e.after ->> 'reason'`,
    audit: `(select row_to_json(x) from (select ${entryColumns}) x)`,
  },
}))
