import { useContext, useEffect, useRef, useState } from 'react'
import type { Endpoint, Input } from '../api.ts'
import { csvRowCounter } from '../csv-rows.ts'
import { download } from '../download.ts'
import { formatCount } from '../format.ts'
import { ApiError } from '../problems.ts'
import { ToastContext } from '../toasts.ts'

export type ExportFile<E extends Endpoint> = {
  endpoint: E
  /** The name of the file, where the answer gives none. */
  name: string
  /** Counts rows as the bytes of the file arrive; without it, those of a CSV file. */
  counter?: () => (bytes: Uint8Array) => number
}

export type Export = {
  /** Rows that have arrived; null while no export runs. */
  rows: number | null
  unit: readonly [string, string]
  /** Saves the file; while one is on its way, nothing. */
  start: <E extends Endpoint>(file: ExportFile<E>, input: Input<E>) => void
  cancel: () => void
}

/** Saves all that the filters leave, whatever page is shown. Leaving the screen gives it up. */
export function useExport(unit: readonly [string, string]): Export {
  const [rows, setRows] = useState<number | null>(null)
  const controller = useRef<AbortController>(undefined)
  const toasts = useContext(ToastContext)

  useEffect(() => () => controller.current?.abort(), [])

  const run = async <E extends Endpoint>(
    { endpoint, name, counter = csvRowCounter }: ExportFile<E>,
    input: Input<E>,
  ) => {
    const abort = new AbortController()
    controller.current = abort
    const count = counter()
    let arrived = 0
    const onBytes = (bytes: Uint8Array) => {
      arrived = count(bytes)
      setRows(arrived)
    }
    setRows(0)
    try {
      await download(endpoint, input, name, { signal: abort.signal, onBytes })
      toasts?.success(`Exported ${formatCount(arrived)} ${arrived === 1 ? unit[0] : unit[1]}`)
    } catch (error) {
      if (!abort.signal.aborted) {
        toasts?.error('The export failed. No file was saved.', error instanceof ApiError ? error : undefined)
      }
    } finally {
      setRows(null)
    }
  }

  return {
    rows,
    unit,
    start: (file, input) => {
      if (rows === null) void run(file, input)
    },
    cancel: () => controller.current?.abort(),
  }
}
