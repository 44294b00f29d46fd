import type { Impersonation } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { customerNameOf } from '../../lib/names.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import css from './impersonation.module.css'
import { Length, StateChip } from './impersonation-columns.tsx'
import { oneImpersonation } from './impersonation-search.ts'
import { causeText, noticeText, pagesText, wayLabels } from './impersonation-words.ts'
import { endBlock } from './row-actions.ts'

type Props = {
  id: string
  /** What the list already knows, shown until the answer has come. */
  listed: Impersonation | undefined
  denial: string | undefined
  onEnd: (row: Impersonation) => void
  onClose: () => void
}

export function ImpersonationDialog({ id, listed, denial, onEnd, onClose }: Props) {
  const details = useQuery(oneImpersonation(id))
  const row = details.data?.impersonation ?? listed
  if (isNotFound(details.error))
    return <DetailsDialog {...notFound('Impersonation', 'The address may be wrong.')} onClose={onClose} />
  return (
    <DetailsDialog
      title={row ? customerNameOf(row) : 'Impersonation'}
      marks={row ? <StateChip row={row} /> : null}
      subtitle={row ? <bdi>{`${wayLabels[row.way]} by ${row.actor_name}`}</bdi> : null}
      onClose={onClose}
      actions={
        row ? (
          <>
            {row.customer_deleted ? null : <Button href={paths.customer(row.customer_id)}>Open customer</Button>}
            {row.is_mine && row.state === 'live' ? (
              <Button href={paths.impersonationView(row.id)}>Open view</Button>
            ) : null}
            <ReasonedButton
              variant="outlined"
              aria-haspopup="dialog"
              blocked={endBlock(row, denial)}
              onClick={() => onEnd(row)}
            >
              End view
            </ReasonedButton>
          </>
        ) : null
      }
    >
      <ListFailure
        error={details.error}
        what="the impersonation"
        at={row ? details.dataUpdatedAt || null : null}
        onRetry={() => void details.refetch()}
      />
      {row ? <RowFacts row={row} /> : details.error ? null : <SkeletonLines count={5} />}
    </DetailsDialog>
  )
}

function RowFacts({ row }: { row: Impersonation }) {
  return (
    <Facts
      facts={[
        { label: 'Reason', value: <bdi className={css['reason']}>{row.reason}</bdi>, wide: true },
        { label: 'Ticket', value: row.ticket_id ? <bdi>{row.ticket_id}</bdi> : null },
        { label: 'Method', value: wayLabels[row.way] },
        { label: 'Started', value: <DateTime at={row.started_at} show="date-time" /> },
        { label: 'Length', value: <Length row={row} /> },
        {
          label: 'Ended',
          value:
            row.ended_at === null ? (
              'Not ended here'
            ) : (
              <>
                <DateTime at={row.ended_at} show="date-time" />
                <br />
                <bdi className={css['muted']}>{causeText(row)}</bdi>
              </>
            ),
        },
        { label: 'Pages viewed', value: pagesText(row) },
        { label: 'Customer notified', value: noticeText(row) },
        { label: 'Customer ID', value: null, id: row.customer_id },
        { label: 'Impersonation ID', value: null, id: row.id },
      ]}
    />
  )
}
