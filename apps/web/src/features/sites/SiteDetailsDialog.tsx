import * as sites from '@agency/contract/descriptors/sites'
import type { SiteDetails } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { q } from '../../lib/api.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { useSiteParts } from '../../lib/site-parts.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { ProductionLink } from '../../ui/ProductionLink.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { SiteStatusChip } from './SiteChips.tsx'
import { type SiteAct, stateActions } from './site-actions.ts'
import type { DetailTab } from './site-search.ts'
import { useRedeploy } from './use-redeploy.ts'
import { useSiteDenials } from './use-site-denials.ts'

const SitePerformance = lazy(() =>
  import('./performance/SitePerformance.tsx').then((module) => ({ default: module.SitePerformance })),
)
const ConfigurationTab = lazy(() =>
  import('./configuration/ConfigurationTab.tsx').then((module) => ({ default: module.ConfigurationTab })),
)

type Props = {
  id: string
  tab: DetailTab
  onTab: (tab: DetailTab) => void
  onAct: (act: SiteAct) => void
  onClose: () => void
}

export function SiteDetailsDialog({ id, tab, onTab, onAct, onClose }: Props) {
  const details = useQuery(q(sites.getSite, { params: { id } }))
  const { SiteDeployments } = useSiteParts()
  const site = details.data?.site
  const error = details.error
  if (isNotFound(error)) return <DetailsDialog {...notFound('Site')} onClose={onClose} />
  const loaded = (content: (all: SiteDetails) => React.ReactNode) => (
    <>
      <ListFailure
        error={error}
        what="the site"
        at={site ? details.dataUpdatedAt : null}
        onRetry={() => void details.refetch()}
      />
      {site ? content(site) : error ? null : <SkeletonLines count={6} />}
    </>
  )
  const waiting = (content: React.ReactNode) => <Suspense fallback={<SkeletonLines count={6} />}>{content}</Suspense>
  return (
    <DetailsDialog
      title={site?.site_name ?? 'Site'}
      marks={site ? <SiteStatusChip site={site} /> : null}
      subtitle={site ? <ProductionLink address={`https://${site.domain}`} /> : null}
      tab={tab}
      onTab={(next) => onTab(next as DetailTab)}
      onClose={onClose}
      tabs={[
        { id: 'overview', label: 'Overview', content: loaded((all) => <OverviewTab site={all} onAct={onAct} />) },
        { id: 'deployments', label: 'Deployments', content: waiting(<SiteDeployments siteId={id} />) },
        { id: 'performance', label: 'Performance', content: waiting(<SitePerformance siteId={id} />) },
        {
          id: 'configuration',
          label: 'Configuration',
          content: loaded((all) => waiting(<ConfigurationTab site={all} />)),
        },
      ]}
      actions={site ? <Actions site={site} tab={tab} onAct={onAct} /> : undefined}
    />
  )
}

type ActionsProps = { site: SiteDetails; tab: DetailTab; onAct: (act: SiteAct) => void }

function Actions({ site, tab, onAct }: ActionsProps) {
  const denials = useSiteDenials()
  const redeploy = useRedeploy()
  return (
    <>
      {/* Among the deployments a button of their own stands for it. */}
      {tab === 'deployments' ? null : (
        <ReasonedButton
          variant="outlined"
          blocked={denials.deploy ?? site.can.deploy}
          loading={redeploy.isPending ? 'Queueing' : false}
          onClick={() => redeploy.run(site)}
        >
          Redeploy
        </ReasonedButton>
      )}
      <ReasonedButton
        variant="outlined"
        aria-haspopup="dialog"
        blocked={denials.write}
        onClick={() => onAct({ kind: 'edit', id: site.id })}
      >
        Edit Site
      </ReasonedButton>
      <MoreMenu label="More for this site" actions={stateActions(site, denials, onAct, site.can)} />
    </>
  )
}
