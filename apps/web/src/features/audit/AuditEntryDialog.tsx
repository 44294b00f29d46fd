import * as audit from '@agency/contract/descriptors/audit'
import type { AuditEntry } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { OutcomeChip } from './audit-columns.tsx'
import type { AuditSearch } from './audit-search.ts'
import { ChainPlace } from './ChainPlace.tsx'
import { Differences } from './Differences.tsx'
import { EntryFacts } from './EntryFacts.tsx'
import { States } from './States.tsx'

type Props = {
  id: string
  /** What the list already knows, shown until the whole has come. */
  listed: AuditEntry | undefined
  hrefFor: (id: string) => string
  onOpen: (id: string) => void
  onFilter: (filters: Partial<AuditSearch>) => void
  onClose: () => void
}

export function AuditEntryDialog({ id, listed, hrefFor, onOpen, onFilter, onClose }: Props) {
  const details = useQuery(q(audit.getAuditEntry, { params: { id } }))
  const all = details.data
  const entry = all?.entry ?? listed
  const deed = all?.deed ?? listed
  if (isNotFound(details.error))
    return <DetailsDialog {...notFound('Entry', 'The address may be wrong.')} onClose={onClose} />
  return (
    <DetailsDialog
      title={deed?.details ?? 'Entry'}
      marks={deed ? <OutcomeChip entry={deed} /> : null}
      subtitle={
        deed ? (
          <>
            <DateTime at={deed.created_at} show="date-time" />, by <bdi>{deed.user_name}</bdi>
          </>
        ) : null
      }
      onClose={onClose}
      actions={<Neighbours newer={all?.newer_id} older={all?.older_id} onOpen={onOpen} />}
    >
      <ListFailure
        error={details.error}
        what="the entry"
        at={all ? details.dataUpdatedAt : null}
        onRetry={() => void details.refetch()}
      />
      <States steps={all?.steps ?? []} current={id} hrefFor={hrefFor} />
      {entry ? <EntryFacts entry={entry} userAgent={all?.user_agent} onFilter={onFilter} /> : null}
      {all ? (
        <>
          <Differences differences={all.differences} />
          <ChainPlace chain={all.chain} />
        </>
      ) : details.error ? null : (
        <SkeletonLines count={4} />
      )}
    </DetailsDialog>
  )
}

type NeighbourProps = {
  newer: string | null | undefined
  older: string | null | undefined
  onOpen: (id: string) => void
}

// Not `disabled`: a button that has the focus would lose it, and the keyboard with it.
function Neighbours({ newer, older, onOpen }: NeighbourProps) {
  return (
    <>
      <Button
        aria-disabled={newer === null}
        startIcon={<Icon name="chevronLeft" />}
        onClick={() => newer && onOpen(newer)}
      >
        Newer
      </Button>
      <Button
        aria-disabled={older === null}
        endIcon={<Icon name="chevronRight" />}
        onClick={() => older && onOpen(older)}
      >
        Older
      </Button>
    </>
  )
}
