import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams } from './primitives.ts'

/** A calendar month in UTC. */
export const reportMonth = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month, such as 2026-10')

export const uptimeReport = z.object({
  month: reportMonth,
  file_name: z.string(),
  /** A page for print, without scripts. */
  html: z.string(),
  sites: count,
  /** Of all sites together; null where nothing is known. */
  uptime_percent: z.number().nullable(),
  down_seconds: count,
  outages: count,
})
export type UptimeReport = z.output<typeof uptimeReport>

export const getUptimeReport = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/uptime-report',
  permission: 'customers.read',
  summary: 'How the sites of one customer did in a month, the last one unless told',
  params: idParams,
  query: z.strictObject({ month: reportMonth.optional() }),
  response: z.object({ report: uptimeReport }),
  topics: ['customers', 'sites', 'incidents', 'deployments', 'settings'],
  isPersonal: true,
})
