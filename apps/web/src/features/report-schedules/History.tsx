import * as reportSchedules from '@agency/contract/descriptors/report-schedules'
import type { ReportDelivery } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { spanWords } from '../../lib/utc-days.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { deliveryChips, receiverChips } from './schedule-words.ts'
import css from './schedules.module.css'

/** What was sent of a schedule, and what became of it. */
export function History({ scheduleId }: { scheduleId: string }) {
  const query = useQuery(q(reportSchedules.listReportDeliveries, { params: { id: scheduleId } }))
  usePoll(() => void query.refetch())
  const deliveries = query.data?.deliveries
  return (
    <section aria-label="History">
      <h3 className={css['heading']}>History</h3>
      <ListFailure
        error={query.error}
        what="the history"
        at={deliveries ? query.dataUpdatedAt : null}
        onRetry={() => void query.refetch()}
      />
      {deliveries === undefined && query.isPending ? <SkeletonLines count={3} height={40} /> : null}
      {deliveries?.length === 0 ? <p className={css['muted']}>Nothing sent yet.</p> : null}
      <ul className={css['list']}>
        {(deliveries ?? []).map((delivery) => (
          <Entry key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ delivery }: { delivery: ReportDelivery }) {
  const { first_day, last_day, due_at, cause, ordered_by, state, reason, file_problem, receivers } = delivery
  return (
    <li className={css['entry']}>
      <span className={css['words']}>
        <strong>{spanWords(first_day, last_day)}</strong>
        <span className={css['muted']}>
          <DateTime at={due_at} show="date-time" />
          {cause === 'now' ? (
            <>
              {' '}
              · sent now by <bdi>{ordered_by}</bdi>
            </>
          ) : null}
        </span>
        {reason === null ? null : <span className={css['muted']}>{reason}</span>}
        {file_problem === null ? null : <span className={css['muted']}>No file: {file_problem}</span>}
      </span>
      {state === 'done' ? null : <StatusChip {...deliveryChips[state]} />}
      <ul className={css['list']} style={{ width: '100%' }}>
        {receivers.map((receiver, index) => (
          <Receiver
            // The order of receivers never changes.
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            key={index}
            receiver={receiver}
            isOver={state === 'failed'}
          />
        ))}
      </ul>
    </li>
  )
}

type ReceiverProps = { receiver: ReportDelivery['receivers'][number]; isOver: boolean }

function Receiver({ receiver: { name, address, state, reason }, isOver }: ReceiverProps) {
  // Nobody works on it any more.
  const shown = isOver && state === 'waiting' ? 'skipped' : state
  return (
    <li className={css['entry']}>
      <span className={css['words']}>
        <bdi>{name ?? address ?? 'Removed account'}</bdi>
        {address !== null && address !== name ? <bdi className={css['muted']}>{address}</bdi> : null}
        {reason === null ? null : <span className={css['muted']}>{reason}</span>}
      </span>
      <StatusChip {...receiverChips[shown]} />
    </li>
  )
}
