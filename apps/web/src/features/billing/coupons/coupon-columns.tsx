import type { Coupon } from '@agency/contract/types'
import { DateTime } from '../../../ui/DateTime.tsx'
import type { Column } from '../../../ui/data-table/columns.ts'
import { personLines } from '../../../ui/Person.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import { codesText, countedTitle, couponChips, redeemedText } from './coupon-words.ts'

export const couponColumns: readonly Column<Coupon>[] = [
  {
    id: 'coupon',
    header: 'Coupon',
    share: '60%',
    cell: ({ name, id }) => personLines({ name, detail: id }),
  },
  {
    id: 'terms',
    header: 'Discount',
    share: '40%',
    onCard: true,
    cell: ({ terms }) => terms,
    text: ({ terms }) => terms,
  },
  { id: 'state', header: 'Status', onCard: true, cell: ({ state }) => StatusChip(couponChips[state]) },
  {
    ...{ id: 'redeemed', header: 'Redeemed', align: 'right', onCard: true },
    cell: redeemedText,
    title: countedTitle,
  },
  { id: 'codes', header: 'Promotion codes', cell: codesText },
  {
    ...{ id: 'until', header: 'Redeem by', align: 'right' },
    cell: ({ redeem_by }) => DateTime({ at: redeem_by, none: 'No end' }),
  },
]
