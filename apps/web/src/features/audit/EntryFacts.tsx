import type { AuditEntry } from '@agency/contract/types'
import { Button } from '../../ui/Button.tsx'
import { Facts } from '../../ui/Facts.tsx'
import css from './audit.module.css'
import type { AuditSearch } from './audit-search.ts'
import { actorLabels } from './audit-words.ts'

type Props = {
  entry: AuditEntry
  /** undefined until the whole entry has come. */
  userAgent: string | null | undefined
  onFilter: (filters: Partial<AuditSearch>) => void
}

export function EntryFacts({ entry, userAgent, onFilter }: Props) {
  const { resource, resource_id, ip_address } = entry
  const kind = actorLabels[entry.actor_type]
  return (
    <>
      <Facts
        facts={[
          { label: 'Who', value: <bdi>{entry.user_name === kind ? kind : `${entry.user_name} (${kind})`}</bdi> },
          { label: 'Action', value: null, id: entry.action },
          { label: 'Actor ID', value: null, id: entry.user_id },
          { label: 'Resource', value: entry.link ? <a href={entry.link}>{resource}</a> : resource },
          { label: 'Resource ID', value: null, id: resource_id },
          { label: 'Address', value: ip_address },
          { label: 'Request ID', value: null, id: entry.request_id },
          { label: 'Entry ID', value: null, id: entry.id },
          { label: 'User agent', value: userAgent ? <bdi>{userAgent}</bdi> : null, wide: true },
        ]}
      />
      <div className={css['alike']}>
        <Button size="small" variant="outlined" onClick={() => onFilter({ actor: entry.user_id })}>
          All by this person
        </Button>
        {resource_id ? (
          <Button size="small" variant="outlined" onClick={() => onFilter({ resource, resource_id })}>
            All of this {resource.replaceAll('_', ' ')}
          </Button>
        ) : null}
        {ip_address ? (
          <Button size="small" variant="outlined" onClick={() => onFilter({ address: ip_address })}>
            All from this address
          </Button>
        ) : null}
      </div>
    </>
  )
}
