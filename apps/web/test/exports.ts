import * as exports_ from '@agency/contract/descriptors/exports'
import type { Exported } from '@agency/contract/types'
import { vi } from 'vitest'
import { mockApi } from './mock-api.ts'

export const anExport = (own: Partial<Exported> = {}): Exported => ({
  ...{ id: 'exp_1', kind: 'customers', title: 'Customers', format: 'csv', parameters: {}, state: 'ready' },
  ...{ rows_done: 2, rows_total: 2, reason: null, file_name: 'customers-2026-11-21.csv', is_cut: false, bytes: 2048 },
  ...{ made_by: 'Ada Lovelace', created_at: '2026-11-21T12:00:00Z', started_at: '2026-11-21T12:00:01Z' },
  ...{ finished_at: '2026-11-21T12:00:02Z', expires_at: '2026-11-22T12:00:02Z' },
  ...own,
})

const fileUrl = '/api/exports/exp_1/file?signature=s'

/** A server that makes any export; it ends as it is told to, at the first look. */
export function mockExports(ended: Partial<Exported> = {}) {
  const followed: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.href.endsWith(fileUrl)) followed.push(fileUrl)
    else this.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  })
  const api = mockApi(exports_, {
    createExport: () => ({ export: anExport({ state: 'queued', rows_done: 0, bytes: null }) }),
    getExport: () => ({ export: anExport(ended) }),
    linkExport: () => ({ url: fileUrl, expires_at: '2026-11-21T12:10:00Z' }),
  })
  const ordered = () =>
    api
      .calls()
      .filter(({ name }) => name === 'createExport')
      .map(({ body }) => body)
  return { ordered, followed }
}
