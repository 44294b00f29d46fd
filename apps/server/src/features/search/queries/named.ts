import type { Values } from '../../../platform/statements.ts'
import { isPurchase } from '../../purchases/index.ts'
import { type Kind, type Row, shown } from './rows.ts'

type Naming = {
  /** How the provider's ids of the kind begin. */
  pattern: RegExp
  kind: Row['kind']
  /** Whoever may look for this may have it. */
  belongsTo: Kind
  where: (id: string) => string
}

const namings: readonly Naming[] = [
  {
    pattern: /^site_[a-z0-9]+$/,
    kind: 'site',
    belongsTo: 'site',
    where: (id) => `s.id = ${id} and s.deleted_at is null`,
  },
  { pattern: /^dep_\w+$/, kind: 'deployment', belongsTo: 'deployment', where: (id) => `d.id = ${id}` },
  { pattern: /^cus_\w+$/, kind: 'customer', belongsTo: 'customer', where: (id) => `c.id = ${id}` },
  {
    pattern: /^sub_\w+$/,
    kind: 'subscription',
    belongsTo: 'subscription',
    where: (id) => `s.id = ${id} and s.deleted_at is null`,
  },
  // A charge stands under the payment whose attempt it was; without a payment intent it is a payment of its own.
  {
    pattern: /^(pi|py|ch)_\w+$/,
    kind: 'payment',
    belongsTo: 'payment',
    where: (id) => `p.id in (
      select ${id} union all select payment_id from charges where id = ${id}
    ) and p.deleted_at is null`,
  },
  {
    pattern: /^in_\w+$/,
    kind: 'invoice',
    belongsTo: 'invoice',
    where: (id) => `i.id = ${id} and i.deleted_at is null`,
  },
  {
    pattern: /^cs_\w+$/,
    kind: 'purchase',
    belongsTo: 'purchase',
    where: (id) => `s.id = ${id} and ${isPurchase('s')}`,
  },
]

/** The object whose very id was given, by the primary key of its table; null where the text is no such id. */
export function named(values: Values, kinds: readonly Kind[], term: string): string {
  const naming = namings.find(({ pattern, belongsTo }) => pattern.test(term) && kinds.includes(belongsTo))
  if (!naming) return 'null::json'
  const { table, columns, joins } = shown[naming.kind]
  return `(select row_to_json(x) from (
    select ${columns} from ${table} ${joins} where ${naming.where(`${values.add(term)}::text`)} limit 1
  ) x)`
}
