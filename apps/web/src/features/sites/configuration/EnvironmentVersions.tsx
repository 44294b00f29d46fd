import * as sites from '@agency/contract/descriptors/sites'
import type { EnvironmentVersion } from '@agency/contract/types'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useDenial } from '../../../lib/session.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { PagedSection } from '../../../ui/PagedSection.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from './configuration.module.css'
import { RollBackDialog } from './RollBackDialog.tsx'

type Props = { siteId: string; current: number }

export function EnvironmentVersions({ siteId, current }: Props) {
  const { path, topics, permission } = sites.listEnvironmentVersions
  const query = useInfiniteQuery({
    queryKey: [path, { params: { id: siteId } }, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(sites.listEnvironmentVersions, { params: { id: siteId }, query: { before: pageParam } }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.has_more ? page.versions.at(-1)?.version : undefined),
    meta: { topics, permission },
  })
  const [target, setTarget] = useState<number>()
  const denial = useDenial(sites.rollBackEnvironment)
  const versions = query.data?.pages.flatMap((page) => page.versions)
  return (
    <>
      <h4 className={css['subheading']}>Versions</h4>
      <PagedSection
        count={versions?.length}
        error={query.error}
        skeleton={{ count: 3, height: 44 }}
        empty={<EmptyState compact text="No versions yet." />}
        hasMore={query.hasNextPage}
        isLoadingMore={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
        onRetry={() => void query.refetch()}
      >
        <ol className={css['versions']}>
          {versions?.map((version) => (
            <li key={version.version} className={css['version']}>
              <strong>Version {version.version}</strong>
              {version.version === current ? <StatusChip tone="success" label="Current" /> : null}
              <span className={css['what']}>
                <Changes version={version} />
                <span className={css['hint']}>
                  <bdi>{version.author}</bdi>, <DateTime at={version.created_at} show="date-time" />
                </span>
              </span>
              {version.version === current ? null : (
                <ReasonedButton
                  size="small"
                  aria-haspopup="dialog"
                  aria-label={`Roll back to version ${version.version}`}
                  blocked={denial}
                  onClick={() => setTarget(version.version)}
                >
                  Roll back
                </ReasonedButton>
              )}
            </li>
          ))}
        </ol>
      </PagedSection>
      {target === undefined ? null : (
        <RollBackDialog siteId={siteId} current={current} to={target} onClose={() => setTarget(undefined)} />
      )}
    </>
  )
}

const firsts = { added: 'Added', changed: 'Changed', removed: 'Removed' } as const

function Changes({ version: { rolled_back_to, ...version } }: { version: EnvironmentVersion }) {
  const parts = (['added', 'changed', 'removed'] as const).filter((part) => version[part].length > 0)
  return (
    <span className={css['changes']}>
      {rolled_back_to === null ? null : <>Rolled back to version {rolled_back_to}. </>}
      {parts.length === 0 ? 'No difference' : null}
      {parts.map((part, index) => (
        <span key={part}>
          {index > 0 ? '; ' : null}
          {index > 0 ? part : firsts[part]} <code>{version[part].join(', ')}</code>
        </span>
      ))}
    </span>
  )
}
