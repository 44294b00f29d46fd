import type { PaymentLink } from '@agency/contract/types'
import type { Column } from '../../../ui/data-table/columns.ts'
import { personLines } from '../../../ui/Person.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import { linkChips, shortAddress } from './link-words.ts'

export const linkColumns: readonly Column<PaymentLink>[] = [
  {
    id: 'link',
    header: 'Payment link',
    share: '50%',
    cell: (link) => personLines({ name: link.name, detail: shortAddress(link) ?? link.id }),
  },
  {
    id: 'terms',
    header: 'Customer pays',
    share: '50%',
    onCard: true,
    cell: ({ terms }) => terms,
    text: ({ terms }) => terms,
  },
  { id: 'state', header: 'Status', onCard: true, cell: ({ state }) => StatusChip(linkChips[state]) },
  {
    id: 'codes',
    header: 'Promotion codes',
    onCard: true,
    cell: ({ allow_promotion_codes }) => (allow_promotion_codes ? 'Accepted' : 'No'),
  },
]
