import * as domains from '@agency/contract/descriptors/domains'
import type { DomainDetails } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { paths } from '../../lib/paths.ts'
import { providerLink } from '../../lib/provider-link.ts'
import { Button } from '../../ui/Button.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { DomainOverview } from './DomainOverview.tsx'
import type { DomainAct } from './domain-actions.ts'
import { DomainChips } from './domain-columns.tsx'
import type { DomainSearch } from './domain-search.ts'
import { RecordsTab } from './records/RecordsTab.tsx'
import { ZoneSettingsTab } from './settings/ZoneSettingsTab.tsx'
import { useDomainDenials } from './use-domain-denials.ts'

type Props = {
  id: string
  tab: DomainSearch['tab']
  onTab: (tab: DomainSearch['tab']) => void
  onAct: (act: DomainAct) => void
  onClose: () => void
}

export function DomainDetailsDialog({ id, tab, onTab, onAct, onClose }: Props) {
  const details = useQuery(q(domains.getDomain, { params: { id } }))
  const domain = details.data?.domain
  const error = details.error
  if (isNotFound(error))
    return (
      <DetailsDialog
        {...notFound('Domain', 'The domain may have left Cloudflare, or the address is wrong.')}
        onClose={onClose}
      />
    )
  const overview = (
    <>
      <ListFailure
        error={error}
        what="the domain"
        at={domain ? details.dataUpdatedAt : null}
        onRetry={() => void details.refetch()}
      />
      {domain ? <DomainOverview domain={domain} /> : error ? null : <SkeletonLines count={8} />}
    </>
  )
  return (
    <DetailsDialog
      title={domain?.name ?? 'Domain'}
      marks={domain ? <DomainChips domain={domain} /> : null}
      subtitle={domain?.plan?.name ? <bdi>{domain.plan.name}</bdi> : null}
      tab={tab}
      onTab={(next) => onTab(next as DomainSearch['tab'])}
      onClose={onClose}
      tabs={[
        { id: 'overview', label: 'Overview', content: overview },
        { id: 'records', label: 'DNS Records', content: <RecordsTab id={id} domain={domain?.name} /> },
        { id: 'settings', label: 'Settings', content: <ZoneSettingsTab id={id} /> },
      ]}
      actions={domain ? <Actions domain={domain} onAct={onAct} /> : undefined}
    />
  )
}

function Actions({ domain, onAct }: { domain: DomainDetails; onAct: (act: DomainAct) => void }) {
  const denials = useDomainDenials()
  const settings = providerLink(domain.dashboard_url)
  return (
    <>
      {settings ? (
        <Button href={settings} external endIcon={<Icon name="openInNew" />}>
          Cloudflare Settings
        </Button>
      ) : null}
      {denials.analytics === undefined ? (
        <Button variant="outlined" href={paths.domainAnalytics(domain.id)}>
          View Analytics
        </Button>
      ) : (
        <ReasonedButton variant="outlined" blocked={denials.analytics}>
          View Analytics
        </ReasonedButton>
      )}
      <ReasonedButton
        variant="outlined"
        aria-haspopup="dialog"
        blocked={denials.write}
        onClick={() => onAct({ kind: 'purge', domain })}
      >
        Purge Cache
      </ReasonedButton>
    </>
  )
}
