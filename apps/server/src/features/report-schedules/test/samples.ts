import { randomUUID } from 'node:crypto'
import type { Caller } from '../../../../test/request.ts'
import { insertRows } from '../../../../test/rows.ts'
import type { AppContext } from '../../../context.ts'

type Sent = { caller: Caller; path: string; body?: unknown }

/** One call of every endpoint of report schedules that changes something, ready to succeed. */
export function scheduleSamples(ctx: () => AppContext, root: () => Caller): Record<string, () => Promise<Sent>> {
  const terms = async () => {
    const id = `cus_${randomUUID()}`
    await insertRows(ctx().pool, 'customers', [{ id, name: 'Castine Chandlery', email: 'ada@example.com' }])
    return { report: 'customer', customer_id: id, cadence: 'monthly', month_day: 31, hour: 8, time_zone: 'UTC' }
  }
  const schedule = async (): Promise<string> =>
    (await root().post('/report-schedules', await terms())).json().schedule.id
  const to = async (act: string): Promise<Sent> => ({
    caller: root(),
    path: `/report-schedules/${await schedule()}/${act}`,
    body: {},
  })
  return {
    createReportSchedule: async () => ({ caller: root(), path: '/report-schedules', body: await terms() }),
    updateReportSchedule: async () => {
      const made = (await root().post('/report-schedules', await terms())).json().schedule
      const { report, customer_id, cadence, month_day, time_zone, version } = made
      const body = { report, customer_id, cadence, month_day, time_zone, version, hour: 9 }
      return { caller: root(), path: `/report-schedules/${made.id}`, body }
    },
    pauseReportSchedule: () => to('pause'),
    resumeReportSchedule: async () => {
      const id = await schedule()
      await root().post(`/report-schedules/${id}/pause`)
      return { caller: root(), path: `/report-schedules/${id}/resume`, body: {} }
    },
    deleteReportSchedule: async () => ({ caller: root(), path: `/report-schedules/${await schedule()}` }),
    sendReportSchedule: () => to('send'),
  }
}
