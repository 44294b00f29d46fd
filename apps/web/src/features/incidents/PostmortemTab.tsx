import * as incidents from '@agency/contract/descriptors/incidents'
import type { Incident } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useDenial } from '../../lib/session.ts'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { onePostmortem } from './incidents-search.ts'
import { PostmortemEditor } from './PostmortemEditor.tsx'

export function PostmortemTab({ incident }: { incident: Incident }) {
  const query = useQuery(onePostmortem(incident.id))
  const denial = useDenial(incidents.savePostmortem)
  return (
    <>
      <ListFailure
        error={query.error}
        what="the post-mortem"
        at={query.data ? query.dataUpdatedAt : null}
        onRetry={() => void query.refetch()}
      />
      {query.data ? (
        <PostmortemEditor incident={incident} saved={query.data} denial={denial} />
      ) : query.isPending ? (
        <SkeletonLines count={10} />
      ) : null}
    </>
  )
}
