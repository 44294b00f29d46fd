import type { AnalyticsPoint } from '@agency/contract/types'
import type { RequestContext } from '../../context.ts'
import { defineExport, type ParametersOf } from '../../platform/export-kind.ts'
import { findZone } from '../domains/index.ts'
import { toPoint, within } from './figures.ts'
import { periodOf } from './period.ts'
import { loadTraffic } from './service/load.ts'

type Chosen = ParametersOf<'domain_analytics'>

async function* readPoints(ctx: RequestContext, { zone_id, period: asked }: Chosen): AsyncGenerator<AnalyticsPoint[]> {
  const period = periodOf(asked, ctx.clock())
  const { buckets } = await loadTraffic(ctx, zone_id, period)
  yield within(buckets, period).map(toPoint)
}

function periodText(ctx: RequestContext, { period: asked }: Chosen): string {
  const { since, until } = periodOf(asked, ctx.clock())
  const ends = [since, until].map((at) => new Date(at).toISOString().slice(0, 16).replace('T', ' '))
  return `${ends.join(' to ')} UTC`
}

/** The hours or days of a time as the screen shows them. */
export const domainExport = defineExport<'domain_analytics', AnalyticsPoint>({
  kind: 'domain_analytics',
  permission: 'analytics.read',
  title: 'Domain analytics',
  fileName: 'analytics',
  columns: [
    { title: 'Time (UTC)', name: 'ts', type: 'instant', width: 1.4, value: ({ ts }) => ts },
    { title: 'Requests', name: 'requests', type: 'integer', value: ({ requests }) => requests },
    {
      title: 'Cached requests',
      name: 'cached_requests',
      type: 'integer',
      value: ({ cached_requests }) => cached_requests,
    },
    { title: 'Bytes', name: 'bytes', type: 'integer', width: 1.2, value: ({ bytes }) => bytes },
    {
      title: 'Cached bytes',
      name: 'cached_bytes',
      type: 'integer',
      width: 1.2,
      value: ({ cached_bytes }) => cached_bytes,
    },
    { title: 'Threats', name: 'threats', type: 'integer', value: ({ threats }) => threats },
    { title: 'Page views', name: 'page_views', type: 'integer', value: ({ page_views }) => page_views },
    {
      title: 'Unique visitors',
      name: 'unique_visitors',
      type: 'integer',
      value: ({ unique_visitors }) => unique_visitors,
    },
    { title: 'Whole', name: 'is_whole', type: 'yes_no', value: ({ is_partial }) => !is_partial },
    { title: 'Sampled', name: 'is_sampled', type: 'yes_no', value: ({ is_sampled }) => is_sampled },
  ],
  rows: readPoints,
  subject: async (ctx, { zone_id }) => (await findZone(ctx, zone_id))?.name ?? zone_id,
  subtitle: periodText,
})
