import type { StatusPage } from '@agency/contract/types'
import { formatCount } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import type { Column } from '../../../ui/data-table/columns.ts'
import { Person } from '../../../ui/Person.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import { ownerOf } from './page-fields.ts'

export const pageColumns: readonly Column<StatusPage>[] = [
  {
    id: 'owner',
    header: 'Page of',
    share: '100%',
    cell: (page) => <Person name={ownerOf(page)} detail={page.title || null} />,
    text: ownerOf,
  },
  {
    id: 'state',
    header: 'State',
    onCard: true,
    cell: ({ is_on }) => (is_on ? <StatusChip tone="success" label="On" /> : <StatusChip tone="neutral" label="Off" />),
  },
  {
    id: 'address',
    header: 'Address',
    onCard: true,
    cell: ({ is_on, slug }) =>
      is_on ? (
        <a href={paths.publicStatus(slug)} target="_blank" rel="noreferrer">
          {paths.publicStatus(slug)}
        </a>
      ) : null,
    text: ({ is_on, slug }) => (is_on ? paths.publicStatus(slug) : ''),
  },
  {
    id: 'sites',
    header: 'Sites',
    align: 'right',
    cell: ({ sites }) => formatCount(sites.filter(({ is_shown }) => is_shown).length),
  },
]
