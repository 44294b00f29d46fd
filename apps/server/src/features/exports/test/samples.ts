import type { Caller } from '../../../../test/request.ts'
import type { AppContext } from '../../../context.ts'

type Sent = { caller: Caller; path: string; body?: unknown }

/** One call of every endpoint of exports that changes something, ready to succeed. */
export function exportSamples(ctx: () => AppContext, root: () => Caller): Record<string, () => Promise<Sent>> {
  const order = { kind: 'customers', format: 'csv', parameters: {} }
  const ordered = async (): Promise<string> => {
    await ctx().pool.query(`update exports set state = 'cancelled' where state in ('queued', 'running')`)
    return (await root().post('/exports', order)).json().export.id
  }
  return {
    exportSystemAnalytics: async () => ({
      ...{ caller: root(), path: '/admin/analytics/export' },
      body: {
        ...{ format: 'csv', report_type: 'system_overview' },
        date_range: { start_date: '2026-01-01', end_date: '2026-01-31' },
      },
    }),
    createExport: async () => ({ caller: root(), path: '/exports', body: order }),
    cancelExport: async () => ({ caller: root(), path: `/exports/${await ordered()}/cancel` }),
    linkExport: async () => {
      const id = await ordered()
      await ctx().pool.query(
        `update exports set state = 'ready', bytes = 1, sha256 = 'x', expires_at = now() + interval '1 day'
          where id = $1`,
        [id],
      )
      return { caller: root(), path: `/exports/${id}/link` }
    },
  }
}
