import * as reportSchedules from '@agency/contract/descriptors/report-schedules'
import { q } from '../../lib/api.ts'
import { defineList } from '../../lib/list/define-list.ts'
import { text } from '../../lib/search-state.ts'

export const scheduleReads = [reportSchedules.listReportSchedules, reportSchedules.listReportDeliveries]

export const schedulesQuery = (customerId?: string) =>
  q(reportSchedules.listReportSchedules, { query: { customer_id: customerId } })

export const schedulesList = defineList({
  search: { open: text('', { keepsPage: true }) },
  filters: [],
  sizes: [100],
  initialSize: 100,
  query: () => schedulesQuery(),
  rows: ({ schedules }) => schedules,
})
