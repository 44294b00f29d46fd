import type { SiteDetails } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { nameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { ProductionLink } from '../../ui/ProductionLink.tsx'
import {
  bandwidthMeasure,
  healthMeasure,
  type Measure,
  scoreMeasure,
  sslMeasure,
  storageMeasure,
  storageText,
} from './measured.ts'
import { Score } from './Score.tsx'
import { HealthChip, SslChip } from './SiteChips.tsx'
import { Source } from './Source.tsx'
import type { SiteAct } from './site-actions.ts'
import css from './sites.module.css'
import { StatusHistory } from './status/StatusHistory.tsx'
import { StatusNotices } from './status/StatusNotices.tsx'

type Props = { site: SiteDetails; onAct: (act: SiteAct) => void }

export function OverviewTab({ site, onAct }: Props) {
  return (
    <>
      <StatusNotices site={site} onAct={onAct} />
      <Facts
        facts={[
          measured('Health', <HealthChip site={site} />, healthMeasure(site)),
          measured('SSL', <SslChip site={site} />, sslMeasure(site)),
          measured('Performance score', <Score site={site} />, scoreMeasure(site), true),
          measured('Storage', storage(site.storage_used), storageMeasure(site), true),
          measured('Bandwidth', bandwidth(site.bandwidth_used), bandwidthMeasure(site), site.bandwidth_used === null),
          { label: 'Last Deploy', value: <DateTime at={site.last_deployment} show="date-time" /> },
          { label: 'Customer', value: ownerOf(site) },
          {
            label: 'Deployment URL',
            value: site.deployment_url ? <ProductionLink address={site.deployment_url} /> : null,
          },
          { label: 'Domain', value: <ProductionLink address={`https://${site.domain}`} /> },
          { label: 'Subdomain', value: site.subdomain ? <bdi>{site.subdomain}</bdi> : null },
          { label: 'Template', value: site.template_type ? <bdi>{site.template_type}</bdi> : null },
          { label: 'Created', value: <DateTime at={site.created_at} show="date-time" /> },
          { label: 'Site ID', value: null, id: site.id },
        ]}
      />
      <StatusHistory changes={site.status_changes} />
    </>
  )
}

function measured(label: string, value: ReactNode, measure: Measure, isPlain = false) {
  return {
    label,
    value: (
      <span className={css['measured']}>
        {value}
        <Source measure={measure} withoutWhat={isPlain} />
      </span>
    ),
  }
}

const none = <span className={css['muted']}>–</span>
const storage = (megabytes: number | null) => (megabytes === null ? none : storageText(megabytes))
const bandwidth = (gigabytes: number | null) => (gigabytes === null ? none : storageText(gigabytes * 1024))

function ownerOf(site: SiteDetails) {
  if (site.owner) {
    return (
      <a href={paths.customer(site.owner.id)}>
        <bdi>{nameOf(site.owner)}</bdi>
      </a>
    )
  }
  return site.customer_name ? <bdi>{site.customer_name}</bdi> : null
}
