import type { ExportFormat, ExportKind, ExportOrder } from '@agency/contract/types'
import { useContext, useEffect, useRef, useState } from 'react'
import type { Unit } from '../export-file.ts'
import { startExport } from '../start-export.ts'
import { ToastContext } from '../toasts.ts'

type ParametersOf<K extends ExportKind> = Extract<ExportOrder, { kind: K }>['parameters']

export type Export<K extends ExportKind> = {
  /** The file is being made, and will be saved by itself if that is soon. */
  isPending: boolean
  start: (format: ExportFormat, parameters: ParametersOf<K>) => void
}

/** Exports all that the filters leave, whatever page is shown. Who leaves the screen finds the file under Exports. */
export function useExport<K extends ExportKind>(kind: K, unit: Unit): Export<K> {
  const [isPending, setPending] = useState(false)
  const leaving = useRef<AbortController>(undefined)
  const toasts = useContext(ToastContext)

  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  return {
    isPending,
    start: (format, parameters) => {
      if (isPending || !toasts || !leaving.current) return
      setPending(true)
      // The kind and its parameters belong together: both are of K.
      const order = { kind, format, parameters } as ExportOrder
      const { signal } = leaving.current
      void startExport(order, unit, toasts, signal).finally(() => setPending(false))
    },
  }
}
