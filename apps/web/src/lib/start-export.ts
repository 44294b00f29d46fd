import type { ExportOrder } from '@agency/contract/types'
import type { Unit } from './export-file.ts'
import type { Toasts } from './toasts.ts'

/** As `exportFile`, whose code is loaded now: it may be gone when a new version was installed meanwhile. Never rejects. */
export async function startExport(order: ExportOrder, unit: Unit, toast: Toasts, signal: AbortSignal): Promise<void> {
  const loaded = await import('./export-file.ts').catch(() => undefined)
  if (loaded) await loaded.exportFile(order, unit, toast, signal)
  else toast.error('The export failed. No file was saved.', { message: 'Reload the page and try again.' })
}
