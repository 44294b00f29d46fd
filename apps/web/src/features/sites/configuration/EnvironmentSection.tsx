import * as sites from '@agency/contract/descriptors/sites'
import type { SiteEnvironment } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import css from './configuration.module.css'
import { EnvironmentEditor } from './EnvironmentEditor.tsx'
import { EnvironmentVersions } from './EnvironmentVersions.tsx'

export function EnvironmentSection({ siteId }: { siteId: string }) {
  const query = useQuery(q(sites.getSiteEnvironment, { params: { id: siteId } }))
  const [showsVersions, setShowsVersions] = useState(false)
  const environment = query.data?.environment
  return (
    <section>
      <header className={css['head']}>
        <div>
          <h3 className={css['heading']}>Environment variables</h3>
          <p className={css['hint']}>
            Values are encrypted and never shown again. A change takes effect with the next deployment.
          </p>
        </div>
        {environment && environment.version > 0 ? (
          <Button size="small" aria-expanded={showsVersions} onClick={() => setShowsVersions((shown) => !shown)}>
            {showsVersions ? 'Hide versions' : 'Versions'}
          </Button>
        ) : null}
      </header>
      <ListFailure
        error={query.error}
        what="the environment"
        at={environment ? query.dataUpdatedAt : null}
        onRetry={() => void query.refetch()}
      />
      {environment ? (
        <>
          <Saved environment={environment} />
          <EnvironmentEditor siteId={siteId} environment={environment} />
          {showsVersions ? <EnvironmentVersions siteId={siteId} current={environment.version} /> : null}
        </>
      ) : query.error ? null : (
        <SkeletonLines count={3} />
      )}
    </section>
  )
}

function Saved({ environment: { version, saved_at, author } }: { environment: SiteEnvironment }) {
  if (version === 0) return null
  return (
    <p className={css['hint']}>
      Version {version}
      {author ? (
        <>
          , saved by <bdi>{author}</bdi>
        </>
      ) : null}
      {saved_at ? (
        <>
          , <DateTime at={saved_at} show="relative" />
        </>
      ) : null}
    </p>
  )
}
