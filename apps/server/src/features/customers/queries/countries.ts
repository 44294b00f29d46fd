import type { customers } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

type Countries = ResponseOf<typeof customers.listCustomerCountries>['countries']

const text = `select country, customers from customer_countries where customers > 0 order by customers desc, country`

export const findCountries = (pool: Pool): Promise<Countries> => runStatement(pool, { text, values: [] })
