import * as sites from '@agency/contract/descriptors/sites'
import type { ImportRow } from '@agency/contract/types'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/api.ts'
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
  const client = useQueryClient()
  const [done, setDone] = useState<ImportAnswer>()
  const send = async (rows: readonly unknown[], idempotencyKey: string) => {
    try {
      const answer = await inBatches(rows, (part, number) =>
        call(sites.importSites, { body: { sites: part } }, { idempotencyKey: `${idempotencyKey}-${number}` }),
      )
      save('oldSites', 'imported')
      setDone(answer)
    } finally {
      void client.invalidateQueries({ queryKey: [sites.listSites.path] })
    }
  }
  // Some parts may have been imported before one was refused: they are not imported again.
  const { mutate, isPending, error } = useCall(send, [], { isOneIntent: true, mayHaveHappened: () => true })
  return { preview, run: () => mutate(old), isPending, error, done }
}
