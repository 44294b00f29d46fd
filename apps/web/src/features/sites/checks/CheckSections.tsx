import * as checks from '@agency/contract/descriptors/checks'
import type { Site } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import type { ApiError } from '../../../lib/problems.ts'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { ChecksForm } from './ChecksForm.tsx'
import css from './checks.module.css'
import { HeartbeatSection } from './HeartbeatSection.tsx'
import { RegistrationPanel } from './RegistrationPanel.tsx'

export function CheckSections({ site }: { site: Pick<Site, 'id' | 'site_name'> }) {
  const { data, error, dataUpdatedAt, refetch } = useQuery(q(checks.getSiteChecks, { params: { id: site.id } }))
  const settings = data?.checks
  return (
    <div className={css['tab']}>
      <section className={css['section']}>
        <h3 className={css['heading']}>Checks</h3>
        <ListFailure
          error={error as ApiError | null}
          what="the checks"
          at={settings ? dataUpdatedAt : null}
          onRetry={() => void refetch()}
        />
        {settings ? <ChecksForm site={site} settings={settings} /> : error ? null : <SkeletonLines count={6} />}
      </section>
      <HeartbeatSection site={site} />
      <RegistrationPanel siteId={site.id} />
    </div>
  )
}
