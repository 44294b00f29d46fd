import { useLocation } from 'react-router'
import { api } from '../lib/api.ts'
import type { listPayments } from '../../../../packages/contract/src/billing.ts'

// ui-is-dumb, three times
export const Chart = () => <p title={api}>{useLocation().pathname as typeof listPayments}</p>
