import * as audit from '@agency/contract/descriptors/audit'
import { useEffect, useRef, useState } from 'react'
import { csvRowCounter } from '../../lib/csv-rows.ts'
import { download } from '../../lib/download.ts'
import { formatCount } from '../../lib/format.ts'
import { ApiError } from '../../lib/problems.ts'
import { useToast } from '../../ui/Toast.tsx'
import type { filtersOf } from './audit-search.ts'

export type ExportFormat = 'csv' | 'jsonl'
type Filters = ReturnType<typeof filtersOf>

const formats = {
  csv: { endpoint: audit.exportAudit, name: 'audit.csv', counter: csvRowCounter },
  jsonl: { endpoint: audit.exportAuditLines, name: 'audit.jsonl', counter: lineCounter },
}

export type Export = {
  /** Entries that have arrived; null while no export runs. */
  entries: number | null
  start: (format: ExportFormat, filters: Filters) => void
  cancel: () => void
}

/** Saves all entries that the filters leave, whatever page is shown. */
export function useExport(): Export {
  const [entries, setEntries] = useState<number | null>(null)
  const controller = useRef<AbortController>(undefined)
  const toast = useToast()

  useEffect(() => () => controller.current?.abort(), [])

  const run = async (format: ExportFormat, filters: Filters) => {
    const abort = new AbortController()
    controller.current = abort
    const { endpoint, name, counter } = formats[format]
    const count = counter()
    let arrived = 0
    setEntries(0)
    try {
      await download(endpoint, { query: filters }, name, {
        signal: abort.signal,
        onBytes: (bytes) => {
          arrived = count(bytes)
          setEntries(arrived)
        },
      })
      toast.success(`Exported ${formatCount(arrived)} ${arrived === 1 ? 'entry' : 'entries'}`)
    } catch (error) {
      if (!abort.signal.aborted) {
        toast.error('The export failed. No file was saved.', error instanceof ApiError ? error : undefined)
      }
    } finally {
      setEntries(null)
    }
  }

  return {
    entries,
    start: (format, filters) => {
      if (entries === null) void run(format, filters)
    },
    cancel: () => controller.current?.abort(),
  }
}

const newline = 0x0a

function lineCounter(): (bytes: Uint8Array) => number {
  let lines = 0
  return (bytes) => {
    for (const byte of bytes) if (byte === newline) lines += 1
    return lines
  }
}
