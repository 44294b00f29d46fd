import * as sites from '@agency/contract/descriptors/sites'
import { useEffect, useRef, useState } from 'react'
import { csvRowCounter } from '../../lib/csv-rows.ts'
import { download } from '../../lib/download.ts'
import { formatCount } from '../../lib/format.ts'
import { ApiError } from '../../lib/problems.ts'
import { useToast } from '../../ui/Toast.tsx'
import type { filtersOf } from './site-search.ts'

type Filters = ReturnType<typeof filtersOf>

/** Saves all sites that match, whatever page is shown. */
export function useExport() {
  /** Rows that have arrived; null while no export runs. */
  const [rows, setRows] = useState<number | null>(null)
  const controller = useRef<AbortController>(undefined)
  const toast = useToast()

  useEffect(() => () => controller.current?.abort(), [])

  const run = async (filters: Filters) => {
    const abort = new AbortController()
    controller.current = abort
    const count = csvRowCounter()
    let arrived = 0
    setRows(0)
    try {
      await download(sites.exportSites, { query: filters }, 'sites.csv', {
        signal: abort.signal,
        onBytes: (bytes) => {
          arrived = count(bytes)
          setRows(arrived)
        },
      })
      toast.success(`Exported ${formatCount(arrived)} ${arrived === 1 ? 'site' : 'sites'}`)
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
    start: (filters: Filters) => {
      if (rows === null) void run(filters)
    },
    cancel: () => controller.current?.abort(),
  }
}
