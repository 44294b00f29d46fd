import type { AnalyzedSite, SystemAnalytics } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './analytics.module.css'
import { engagementText, engagementTone, noEngagement } from './engagement.ts'

const sources: Record<AnalyzedSite['source'], string> = {
  beacon: 'Beacon',
  cloudflare: 'Cloudflare',
  both: 'Both',
}

const figure = (value: number | null) => (value === null ? 'Unavailable' : formatCount(value))

const columns: readonly Column<AnalyzedSite>[] = [
  { id: 'site_name', header: 'Site', cell: ({ site_name }) => <bdi>{site_name}</bdi>, text: nameOf, share: '40%' },
  {
    id: 'domain',
    header: 'Domain',
    cell: ({ domain }) => <bdi>{domain}</bdi>,
    text: ({ domain }) => domain,
    share: '60%',
  },
  { id: 'visitors', header: 'Visitors', align: 'right', onCard: true, cell: ({ visitors }) => figure(visitors) },
  { id: 'events', header: 'Events', align: 'right', onCard: true, cell: ({ events }) => figure(events) },
  { id: 'engagement', header: 'Engagement', onCard: true, cell: (site) => <Engagement site={site} /> },
  {
    id: 'source',
    header: 'Source',
    cell: ({ source, is_sampled }) => `${sources[source]}${is_sampled ? ', sampled' : ''}`,
  },
]

function nameOf({ site_name }: AnalyzedSite): string {
  return site_name
}

function Engagement({ site }: { site: AnalyzedSite }) {
  const { engagement } = site
  if (engagement === null) return <span title={noEngagement(site)}>Unavailable</span>
  return <StatusChip tone={engagementTone(engagement)} label={engagementText(engagement)} />
}

export function TopSitesTable({ data }: { data: SystemAnalytics | undefined }) {
  return (
    <section className={css['sites']} aria-label="Top Sites">
      <h2>Top Sites</h2>
      <p className={css['note']}>Visitors are daily visits added up. Engagement is events per visitor.</p>
      <DataTable
        label="Top Sites"
        columns={columns}
        rows={data?.top_sites}
        keyOf={({ site_id }) => site_id}
        nameOf={nameOf}
        hrefOf={({ site_id }) => paths.site(site_id)}
        empty={
          <EmptyState
            title="No traffic data"
            text="Connect Cloudflare, or switch on the beacon in a site’s Configuration."
          />
        }
      />
    </section>
  )
}
