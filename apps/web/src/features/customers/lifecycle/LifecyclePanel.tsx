import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import type { LifecycleRun } from '@agency/contract/types'
import Alert from '@mui/material/Alert'
import { useQuery } from '@tanstack/react-query'
import { q, type ResponseOf } from '../../../lib/api.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { SectionError } from '../../../ui/SectionError.tsx'
import css from './lifecycle.module.css'
import { suspensionReasons } from './lifecycle-words.ts'
import { RunView } from './RunView.tsx'

type Lifecycle = ResponseOf<typeof customerLifecycle.getLifecycle>

const isOpen = ({ state }: LifecycleRun): boolean => state === 'waiting' || state === 'running' || state === 'failed'

/** What stands about the account itself: why it is suspended or deleted, and what is being done about it. */
export function LifecyclePanel({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(q(customerLifecycle.getLifecycle, { params: { id } }))
  if (error && !data) return <SectionError error={error} onRetry={() => void refetch()} />
  if (!data) return null
  const [newest] = data.runs
  const earlier = data.runs.slice(1)
  if (!newest && !data.suspension && !data.deletion) return null
  return (
    <section className={css['panel']} aria-label="State of the account">
      <Standing {...data} />
      {newest ? <RunView customerId={id} run={newest} open={isOpen(newest)} /> : null}
      {earlier.map((run) => (
        <RunView key={run.id} customerId={id} run={run} open={false} />
      ))}
    </section>
  )
}

function Standing({ suspension, deletion }: Pick<Lifecycle, 'suspension' | 'deletion'>) {
  return (
    <>
      {deletion ? (
        <Alert severity="warning" role="status">
          {deletion.erased_at ? (
            <>
              Erased on <DateTime at={deletion.erased_at} />. Payments and totals stay.
            </>
          ) : (
            <>
              Deleted by <bdi>{deletion.by}</bdi> on <DateTime at={deletion.at} />.{' '}
              {deletion.erase_at ? `Can be restored until ${formatDate(deletion.erase_at)}, then erased.` : null}
            </>
          )}
        </Alert>
      ) : null}
      {suspension ? (
        <Alert severity="warning" role="status">
          Suspended by <bdi>{suspension.by}</bdi> on <DateTime at={suspension.at} />:{' '}
          {suspensionReasons[suspension.reason].toLowerCase()}.{' '}
          {suspension.note ? (
            <>
              <bdi>{suspension.note}</bdi>{' '}
            </>
          ) : null}
          {suspension.awaited_invoices.length > 0 ? 'Ends automatically when the overdue invoices are paid.' : null}
        </Alert>
      ) : null}
    </>
  )
}
