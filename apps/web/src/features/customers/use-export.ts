import * as customers from '@agency/contract/descriptors/customers'
import { useEffect, useRef, useState } from 'react'
import { csvRowCounter } from '../../lib/csv-rows.ts'
import { download } from '../../lib/download.ts'
import { formatCount } from '../../lib/format.ts'
import { ApiError } from '../../lib/problems.ts'
import { useToast } from '../../ui/Toast.tsx'
import type { filtersOf } from './customer-search.ts'

export type Export = {
  /** Rows that have arrived; null while no export runs. */
  rows: number | null
  start: (filters: ReturnType<typeof filtersOf>) => void
  cancel: () => void
}

/** Saves all customers that match, whatever page is shown. */
export function useExport(): Export {
  const [rows, setRows] = useState<number | null>(null)
  const controller = useRef<AbortController>(undefined)
  const toast = useToast()

  useEffect(() => () => controller.current?.abort(), [])

  const run = async (filters: ReturnType<typeof filtersOf>) => {
    const abort = new AbortController()
    controller.current = abort
    const count = csvRowCounter()
    let arrived = 0
    setRows(0)
    try {
      await download(customers.exportCustomers, { query: filters }, 'customers.csv', {
        signal: abort.signal,
        onBytes: (bytes) => {
          arrived = count(bytes)
          setRows(arrived)
        },
      })
      toast.success(`Exported ${formatCount(arrived)} ${arrived === 1 ? 'customer' : 'customers'}`)
    } catch (error) {
      if (!abort.signal.aborted) {
        toast.error('The export failed. No file was saved.', error instanceof ApiError ? error : undefined)
      }
    } finally {
      setRows(null)
    }
  }

  return {
    rows,
    start: (filters) => {
      if (rows === null) void run(filters)
    },
    cancel: () => controller.current?.abort(),
  }
}
