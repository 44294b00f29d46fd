import type { CustomerDetails } from '@agency/contract/types'
import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'
import {
  invoiceColumns,
  jsonList,
  paymentColumns,
  paymentJoins,
  subscriptionColumns,
  subscriptionJoins,
} from '../../billing/index.ts'
import { customerColumns, customerJoins } from './columns.ts'

const newest = (alias: string, limit: number) =>
  `where ${alias}.customer_id = $1 and ${alias}.deleted_at is null order by ${alias}.created_at desc, ${alias}.id desc limit ${limit}`

const text = `select json_build_object(
  'customer', (select row_to_json(x) from (select ${customerColumns} from customers c ${customerJoins} where c.id = $1) x),
  'metadata', (select metadata from customers where id = $1),
  'fetched_at', (select iso_utc(fetched_at) from customers where id = $1),
  'subscriptions', ${jsonList(subscriptionColumns, `(select * from subscriptions s ${newest('s', 100)}) s ${subscriptionJoins} order by s.created_at desc, s.id desc`)},
  'payments', ${jsonList(paymentColumns, `(select * from payments p ${newest('p', 25)}) p ${paymentJoins} order by p.created_at desc, p.id desc`)},
  'invoices', ${jsonList(invoiceColumns, `invoices i ${newest('i', 25)}`)}
)::text as record`

type DetailsRecord = Pick<CustomerDetails, 'metadata' | 'fetched_at' | 'subscriptions' | 'payments' | 'invoices'> & {
  customer: Omit<CustomerDetails, 'metadata'> | null
}

export async function findCustomerDetails(pool: Pool, id: string): Promise<CustomerDetails | undefined> {
  const [row] = await runStatement<{ record: string }>(pool, { text, values: [id] })
  const { customer, ...rest } = JSON.parse(row?.record ?? '{"customer":null}') as DetailsRecord
  return customer === null ? undefined : { ...customer, ...rest }
}
