import { type ImportRow, sites } from '@agency/contract/descriptors'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, newId } from '../../../lib/api.ts'
import { save } from '../../../lib/storage.ts'
import { useCall } from '../../../lib/use-call.ts'

export type ImportAnswer = { created: number; skipped: number; rows: ImportRow[] }

const batchSize = 500

/** In parts, so that no call grows too large; the rows keep their places in the whole. */
async function inBatches(
  all: readonly unknown[],
  send: (part: unknown[], number: number) => Promise<ImportAnswer>,
): Promise<ImportAnswer> {
  const whole: ImportAnswer = { created: 0, skipped: 0, rows: [] }
  for (let start = 0; start < all.length; start += batchSize) {
    const answer = await send(all.slice(start, start + batchSize), start / batchSize)
    whole.created += answer.created
    whole.skipped += answer.skipped
    whole.rows.push(...answer.rows.map((row) => ({ ...row, position: row.position + start })))
  }
  return whole
}

/** What the import would do, and doing it; each part is imported once, however often it is tried. */
export function useImport(old: readonly unknown[]) {
  const preview = useQuery({
    queryKey: ['preview of old sites'],
    queryFn: () => inBatches(old, (part) => call(sites.previewSiteImport, { body: { sites: part } })),
    staleTime: 0,
    gcTime: 0,
  })
  const [actionId] = useState(newId)
  const importing = useCall(sites.importSites, [sites.listSites])
  const busy = useRef(false)
  const [done, setDone] = useState<ImportAnswer>()
  const [error, setError] = useState<Error | null>(null)

  const run = async () => {
    if (busy.current) return
    busy.current = true
    setError(null)
    try {
      const answer = await inBatches(old, (part, number) =>
        importing.mutateAsync({ body: { sites: part }, idempotencyKey: `${actionId}-${number}` }),
      )
      save('oldSites', 'imported')
      setDone(answer)
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
    } finally {
      busy.current = false
    }
  }
  return { preview, run: () => void run(), isPending: importing.isPending, error, done }
}
