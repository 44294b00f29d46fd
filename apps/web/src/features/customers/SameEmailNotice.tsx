import type * as customers from '@agency/contract/descriptors/customers'
import Alert from '@mui/material/Alert'
import type { ResponseOf } from '../../lib/api.ts'
import { formatDate } from '../../lib/format-time.ts'
import { nameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import css from './customer-form.module.css'

export function SameEmailNotice({ found }: { found: ResponseOf<typeof customers.listCustomersByEmail> }) {
  const many = found.has_more || found.customers.length > 1
  return (
    <Alert severity="warning" role="status" className={css['wide']}>
      {many ? 'These customers have this email already:' : 'This customer has this email already:'}
      <ul className={css['same']}>
        {found.customers.map((customer) => (
          <li key={customer.id}>
            <a href={paths.customer(customer.id)} target="_blank" rel="noreferrer">
              <bdi>{nameOf(customer)}</bdi>
            </a>
            , added {formatDate(customer.created_at)}
          </li>
        ))}
        {found.has_more ? <li>and more</li> : null}
      </ul>
      You can still save.
    </Alert>
  )
}
