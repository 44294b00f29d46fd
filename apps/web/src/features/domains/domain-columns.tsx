import type { Domain } from '@agency/contract/types'
import { domainStatusChip } from '../../lib/domain-status.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { typeText } from './domain-words.ts'
import css from './domains.module.css'
import { SettingValue } from './SettingValue.tsx'

/** Whose domain it is, as far as a site tells. */
const ownerOf = ({ site, customer }: Domain): string | null => customer?.name ?? site?.site_name ?? null

const none = <span className={css['muted']}>–</span>

export const domainColumns: readonly Column<Domain>[] = [
  {
    id: 'domain',
    header: 'Domain',
    sort: 'name',
    share: '60%',
    cell: (domain) => <Person name={domain.name} detail={ownerOf(domain)} />,
    text: (domain) => [domain.name, ownerOf(domain)].filter((part) => part !== null).join(' · '),
  },
  { id: 'status', header: 'Status', sort: 'status', onCard: true, cell: (domain) => <DomainChips domain={domain} /> },
  {
    id: 'plan',
    header: 'Plan',
    sort: 'plan',
    share: '40%',
    onCard: true,
    cell: ({ plan }) => (plan?.name ? <bdi>{plan.name}</bdi> : none),
    text: ({ plan }) => plan?.name ?? null,
  },
  { id: 'type', header: 'Type', sort: 'type', cell: ({ type }) => typeText(type) ?? none },
  {
    id: 'ssl',
    header: 'SSL',
    onCard: true,
    cell: ({ ssl }) => <SettingValue kind="ssl" setting={ssl} />,
  },
  {
    id: 'dnssec',
    header: 'DNSSEC',
    cell: ({ dnssec }) => <SettingValue kind="dnssec" setting={dnssec} />,
  },
  {
    id: 'created',
    header: 'Created',
    sort: 'created_on',
    sortFirst: 'descending',
    align: 'right',
    cell: ({ created_on }) => <DateTime at={created_on} none="–" />,
  },
  {
    id: 'modified',
    header: 'Modified',
    sort: 'modified_on',
    sortFirst: 'descending',
    align: 'right',
    cell: ({ modified_on }) => <DateTime at={modified_on} none="–" />,
  },
]

export function DomainChips({ domain }: { domain: Domain }) {
  return (
    <span className={css['chips']}>
      <StatusChip {...domainStatusChip(domain.status)} />
      {domain.paused ? (
        <StatusChip label="Paused" tone="warning" title="Cloudflare answers DNS only, without proxy" />
      ) : null}
    </span>
  )
}
