import * as monitoring from '@agency/contract/descriptors/monitoring'
import type { MonitoredService } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useDenial } from '../../lib/session.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { MonitoringTabs } from './MonitoringTabs.tsx'
import css from './monitoring.module.css'
import { accounting } from './monitoring-words.ts'
import { ServiceCard } from './ServiceCard.tsx'

const pollMs = 60_000

export const servicesQuery = q(monitoring.listServices, {})

export function ServicesPage() {
  const denial = useDenial(monitoring.listServices)
  if (!denial) return <Services />
  return (
    <>
      <PageHeader title="Service Health" />
      <EmptyState title="You may not see the services" text={denial} />
    </>
  )
}

function Services() {
  const query = useQuery(servicesQuery)
  const refresh = () => void query.refetch()
  usePoll(refresh, pollMs)
  const services = query.data?.services
  return (
    <>
      <PageHeader
        title="Service Health"
        summary={services && services.length > 0 ? <Summary services={services} /> : ''}
      />
      <MonitoringTabs current={paths.monitoringServices} />
      <ListFailure
        error={query.error as ApiError | null}
        what="the services"
        at={services ? query.dataUpdatedAt : null}
        onRetry={refresh}
      />
      {query.isPending ? <SkeletonLines count={6} height={96} /> : null}
      {services ? <List services={services} /> : null}
    </>
  )
}

function Summary({ services }: { services: readonly MonitoredService[] }) {
  const healthy = services.filter(({ status }) => status === 'healthy').length
  const checks = services.map(({ checked_at }) => checked_at).filter((at) => at !== null)
  return (
    <>
      {healthy} of {services.length} healthy
      {checks.length > 0 ? (
        <>
          {' · checked '}
          <DateTime at={checks.sort().at(-1) ?? null} show="relative" />
        </>
      ) : null}
    </>
  )
}

function List({ services }: { services: readonly MonitoredService[] }) {
  if (services.length === 0) {
    return (
      <EmptyState
        title="No checks yet"
        text="Services are checked every minute. The first check runs within a minute of the start."
      />
    )
  }
  return (
    <>
      <p className={css['accounting']}>{accounting}</p>
      <ul className={css['services']} aria-label="Services">
        {services.map((service) => (
          <ServiceCard key={service.key} service={service} />
        ))}
      </ul>
    </>
  )
}
