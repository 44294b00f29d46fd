import * as exports_ from '@agency/contract/descriptors/exports'
import type { Exported, ExportOrder } from '@agency/contract/types'
import { call } from './api.ts'
import { formatCount } from './format.ts'
import { paths } from './paths.ts'
import { ApiError } from './problems.ts'
import type { Toasts } from './toasts.ts'

/** A file that is ready within this time is saved by itself; a longer one shows under Exports. */
const waitMs = 5000
const lookEveryMs = 250

export type Unit = readonly [one: string, many: string]

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })

async function whenEnded(begun: Exported, signal: AbortSignal): Promise<Exported> {
  const until = performance.now() + waitMs
  let now = begun
  while ((now.state === 'queued' || now.state === 'running') && performance.now() < until) {
    await pause(lookEveryMs, signal)
    now = (await call(exports_.getExport, { params: { id: begun.id } }, { signal })).export
  }
  return now
}

/** Follows a signed link: the browser itself takes the file, however large it is. */
export async function saveExport(id: string, signal?: AbortSignal): Promise<void> {
  const { url } = await call(exports_.linkExport, { params: { id } }, signal ? { signal } : {})
  const link = document.createElement('a')
  link.href = url
  link.click()
}

/** Orders a file of all that the parameters leave, and tells in toasts what becomes of it. */
export async function exportFile(order: ExportOrder, [one, many]: Unit, toast: Toasts, signal: AbortSignal) {
  try {
    const begun = await call(exports_.createExport, { body: order }, { signal })
    const { id, state, rows_done, is_cut, reason } = await whenEnded(begun.export, signal)
    if (state === 'ready') {
      await saveExport(id, signal)
      toast.success(
        is_cut
          ? `Exported the first ${formatCount(rows_done)} ${many}: there are more`
          : `Exported ${formatCount(rows_done)} ${rows_done === 1 ? one : many}`,
      )
    } else if (state === 'failed') {
      toast.error('The export failed. No file was saved.', { message: reason ?? undefined })
    } else if (state !== 'cancelled') {
      toast.success(`Exporting ${many}. The file will be under Exports.`, { label: 'Exports', href: paths.exports })
    }
  } catch (error) {
    if (!signal.aborted)
      toast.error('The export failed. No file was saved.', error instanceof ApiError ? error : undefined)
  }
}
