import type { ScheduledReport } from '@agency/contract/report-schedules'
import type { AppContext } from '../../context.ts'
import { findCustomers } from './queries/people.ts'
import type { ScheduleRow } from './queries/schedules.ts'

export const reportNames: Record<ScheduledReport, string> = {
  revenue: 'Revenue report',
  customers: 'Customers report',
  usage: 'Usage report',
  performance: 'Performance report',
  customer: 'Website report',
}

/** `Weekly revenue report`, `Monthly website report for Castine Chandlery` */
export async function nameOf(
  ctx: Pick<AppContext, 'db'>,
  { report, cadence, customer_id }: Pick<ScheduleRow, 'report' | 'cadence' | 'customer_id'>,
): Promise<string> {
  const name = `${cadence === 'weekly' ? 'Weekly' : 'Monthly'} ${reportNames[report as ScheduledReport].toLowerCase()}`
  if (customer_id === null) return name
  const [customer] = await findCustomers(ctx, [customer_id])
  return customer?.name ? `${name} for ${customer.name}` : name
}

export const linkTo = ({ id, customer_id }: Pick<ScheduleRow, 'id' | 'customer_id'>): string =>
  customer_id === null
    ? `/admin/reports?tab=schedules&open=${encodeURIComponent(id)}`
    : `/admin/customers?open=${encodeURIComponent(customer_id)}&tab=reports`
