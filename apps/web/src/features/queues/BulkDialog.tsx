import * as queues from '@agency/contract/descriptors/queues'
import type { JobFilters } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, newId, q, type ResponseOf } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { unreadPreview } from '../../ui/unread-preview.ts'
import { jobReads } from './queue-search.ts'

type Preview = ResponseOf<typeof queues.previewQueueAct>
type Act = 'retry' | 'delete'
type Props = { act: Act; filters: JobFilters; onClose: () => void }

const verbs: Record<Act, { verb: string; done: string }> = {
  retry: { verb: 'Retry', done: 'Retried' },
  delete: { verb: 'Delete', done: 'Deleted' },
}
const jobs = (count: number): string => `${formatCount(count)} ${count === 1 ? 'job' : 'jobs'}`

function consequencesOf(act: Act, { matching, affected, left_out }: Preview): string[] {
  return [
    `${jobs(matching)} ${matching === 1 ? 'matches' : 'match'}, on all pages. ${verbs[act].verb}: ${formatCount(affected)}.`,
    ...left_out.map((each) => `Left out: ${jobs(each.jobs)}. ${each.reason}.`),
    ...(act === 'delete' && affected > 0 ? ['Deleted jobs cannot be restored.'] : []),
  ]
}

/** Acts on everything that the filters leave, after a count, in batches that can be stopped in between. */
export function BulkDialog({ act, filters, onClose }: Props) {
  const toast = useToast()
  const preview = useQuery({ ...q(queues.previewQueueAct, { query: { act, ...filters } }), staleTime: 0, gcTime: 0 })
  const [done, setDone] = useState(0)
  const stop = useRef(false)
  const run = useCall(async (until: string) => {
    let total = 0
    for (;;) {
      const batch = await call(queues.actOnQueueJobs, { body: { act, filters, until } }, { idempotencyKey: newId() })
      total += batch.done
      setDone(total)
      if (!batch.has_more || stop.current) return total
    }
  }, jobReads)
  const { verb, done: past } = verbs[act]
  const found = preview.data
  const affected = found?.affected ?? 0
  const handleConfirm = () => {
    if (!found) return
    stop.current = false
    run.mutate(found.until, {
      onSuccess: (total) => {
        toast.success(`${past} ${jobs(total)}${stop.current ? ', then stopped' : ''}`)
        onClose()
      },
    })
  }
  return (
    <ConfirmDialog
      title={`${verb} all jobs that match`}
      consequences={found ? consequencesOf(act, found) : []}
      awaited={preview.isLoading ? 1 : 0}
      confirmLabel={found ? `${verb} ${jobs(affected)}` : `${verb} jobs`}
      destructive={act === 'delete'}
      pending={run.isPending}
      blockedReason={found ? (affected > 0 ? undefined : 'No job would be affected') : unreadPreview(preview.error)}
      error={
        run.error && { message: `${past} ${jobs(done)}, then: ${run.error.message}`, requestId: run.error.requestId }
      }
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      {preview.error && !found ? (
        <ListFailure error={preview.error} what="the count" at={null} onRetry={() => void preview.refetch()} />
      ) : run.isPending ? (
        <Progress
          label={`${past} so far`}
          done={done}
          total={affected}
          unit="jobs"
          onCancel={() => {
            stop.current = true
          }}
        />
      ) : undefined}
    </ConfirmDialog>
  )
}
