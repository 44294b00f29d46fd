import { z } from 'zod'
import { auditFilters } from './audit.ts'
import { paymentFilters, subscriptionFilters } from './billing.ts'
import { customerFilters } from './customers.ts'
import { analyticsPeriod } from './domain-analytics.ts'
import { dunningFilters } from './dunning.ts'
import { endpoint } from './endpoint.ts'
import { count, currency, idParams, instant, pageQuery } from './primitives.ts'
import { rangeQuery } from './reports-range.ts'
import { utcRangeQuery } from './reports-usage.ts'
import { siteFilters } from './sites.ts'

/** `jsonl`: one JSON object a line. */
export const exportFormats = ['csv', 'json', 'jsonl', 'xlsx', 'pdf'] as const
export const exportFormat = z.enum(exportFormats)
export type ExportFormat = z.output<typeof exportFormat>

export const exportStates = ['queued', 'running', 'ready', 'failed', 'expired', 'cancelled'] as const
export const exportState = z.enum(exportStates)
export type ExportState = z.output<typeof exportState>

/** What can be exported, and by what its rows are chosen. */
export const exportParameters = {
  customers: customerFilters,
  sites: siteFilters,
  subscriptions: subscriptionFilters,
  payments: paymentFilters,
  dunning: dunningFilters,
  purchases: z.strictObject({}),
  audit: auditFilters,
  domain_analytics: z.strictObject({ zone_id: z.string().min(1).max(255), period: analyticsPeriod }),
  system_overview: z.strictObject({ start_date: z.iso.date(), end_date: z.iso.date() }),
  report_performance: z.strictObject(utcRangeQuery),
  report_usage: z.strictObject(utcRangeQuery),
  report_revenue: z.strictObject(rangeQuery),
  report_customers: z.strictObject({ ...rangeQuery, currency: currency.optional() }),
  report_churned: z.strictObject({ ...rangeQuery, currency: currency.optional() }),
  report_renewals: z.strictObject({
    days: z.coerce.number().int().min(1).max(90).default(30),
    currency: currency.optional(),
  }),
  website_report: z.strictObject({
    customer_id: z.string().min(1).max(255),
    from: z.iso.date(),
    to: z.iso.date(),
    /** Where these days begin and end. */
    time_zone: z.string().min(1).max(64),
  }),
  /** A query of one's own history, run anew. */
  sql_result: z.strictObject({ query_id: z.string().regex(/^[0-9a-f]{32}$/) }),
} as const
export const exportKinds = Object.keys(exportParameters) as (keyof typeof exportParameters)[]
export const exportKind = z.enum(exportKinds as [ExportKind, ...ExportKind[]])
export type ExportKind = keyof typeof exportParameters

const orderOf = <K extends ExportKind>(kind: K) =>
  z.strictObject({ kind: z.literal(kind), format: exportFormat, parameters: exportParameters[kind] })

export const exportOrder = z.discriminatedUnion('kind', [
  orderOf('customers'),
  orderOf('sites'),
  orderOf('subscriptions'),
  orderOf('payments'),
  orderOf('dunning'),
  orderOf('purchases'),
  orderOf('audit'),
  orderOf('domain_analytics'),
  orderOf('system_overview'),
  orderOf('report_performance'),
  orderOf('report_usage'),
  orderOf('report_revenue'),
  orderOf('report_customers'),
  orderOf('report_churned'),
  orderOf('report_renewals'),
  orderOf('website_report'),
  orderOf('sql_result'),
])
export type ExportOrder = z.input<typeof exportOrder>

export const exported = z.object({
  id: z.string(),
  kind: z.string(),
  /** What it is of: 'Customers'. */
  title: z.string(),
  format: exportFormat,
  /** By what the rows were chosen. */
  parameters: z.record(z.string(), z.unknown()),
  state: exportState,
  rows_done: count,
  /** null: not counted. */
  rows_total: count.nullable(),
  /** Why it failed. */
  reason: z.string().nullable(),
  file_name: z.string().nullable(),
  /** There were more rows than a file of this kind holds: these are the first of them. */
  is_cut: z.boolean(),
  bytes: count.nullable(),
  made_by: z.string(),
  created_at: instant,
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
  /** The file is kept until then. */
  expires_at: instant.nullable(),
})
export type Exported = z.output<typeof exported>

const answer = z.object({ export: exported })

export const createExport = endpoint({
  method: 'POST',
  path: '/exports',
  permission: 'any',
  summary:
    'Begins to make a file of all rows that the parameters leave; needs the permission of the screen that shows them',
  body: exportOrder,
  response: answer,
  idempotent: true,
})

export const listExports = endpoint({
  method: 'GET',
  path: '/exports',
  permission: 'any',
  summary: 'Own exports, newest first; those of everybody with admin.system',
  query: z.strictObject({ ...pageQuery(25), state: exportState.optional() }),
  response: z.object({ exports: z.array(exported), has_more: z.boolean(), total: count.nullable() }),
  topics: ['exports'],
  isPersonal: true,
})

export const getExport = endpoint({
  method: 'GET',
  path: '/exports/:id',
  permission: 'any',
  summary: 'One export with its state and progress',
  params: idParams,
  response: answer,
  topics: ['exports'],
  isPersonal: true,
})

export const cancelExport = endpoint({
  method: 'POST',
  path: '/exports/:id/cancel',
  permission: 'any',
  summary: 'Gives up an export that is not ready; done twice it changes nothing',
  params: idParams,
  response: answer,
})

export const linkExport = endpoint({
  method: 'POST',
  path: '/exports/:id/link',
  permission: 'any',
  summary: 'A signed link to the file that needs no key and lives ten minutes',
  params: idParams,
  response: z.object({ url: z.string(), expires_at: instant }),
})

export const downloadExport = endpoint({
  method: 'GET',
  path: '/exports/:id/file',
  permission: 'public',
  summary: 'The file behind a signed link, as long as whoever made the link may see what is in it',
  params: idParams,
  query: z.strictObject({
    expires: z.string().regex(/^\d{1,15}$/),
    maker: z.string().max(200),
    signature: z.string().max(200),
  }),
  response: z.string(),
  produces: 'application/octet-stream',
})
