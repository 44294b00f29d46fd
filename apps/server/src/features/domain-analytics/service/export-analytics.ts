import type { AnalyticsPoint } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { byteOrderMark, type Cell, csvLine } from '../../../platform/csv.ts'
import { type Piece, sendDownload } from '../../../platform/http/download.ts'
import type { Reply } from '../../../platform/http/routes.ts'
import { findZone } from '../../domains/index.ts'
import { toPoint, within } from '../figures.ts'
import { type Asked, periodOf } from '../period.ts'
import { loadTraffic } from './load.ts'

const columns: [title: string, cell: (point: AnalyticsPoint) => Cell][] = [
  ['Time (UTC)', ({ ts }) => ts],
  ['Requests', ({ requests }) => requests],
  ['Cached requests', ({ cached_requests }) => cached_requests],
  ['Bytes', ({ bytes }) => bytes],
  ['Cached bytes', ({ cached_bytes }) => cached_bytes],
  ['Threats', ({ threats }) => threats],
  ['Page views', ({ page_views }) => page_views],
  ['Unique visitors', ({ unique_visitors }) => unique_visitors],
  ['Whole', ({ is_partial }) => (is_partial ? 'no' : 'yes')],
  ['Sampled', ({ is_sampled }) => (is_sampled ? 'yes' : 'no')],
]

async function* toCsv(points: readonly AnalyticsPoint[]): AsyncGenerator<Piece> {
  const lines = points.map((point) => csvLine(columns.map(([, cell]) => cell(point))))
  yield { text: byteOrderMark + csvLine(columns.map(([title]) => title)) + lines.join(''), rows: points.length }
}

/** The hours or days of a time as the screen shows them. */
export async function exportAnalytics(ctx: RequestContext, id: string, asked: Asked, reply: Reply) {
  const period = periodOf(asked, ctx.clock())
  const [zone, { buckets }] = await Promise.all([findZone(ctx, id), loadTraffic(ctx, id, period)])
  const day = new Date(ctx.clock()).toISOString().slice(0, 10)
  const name = (zone?.name ?? id).replace(/[^a-z0-9.-]/gi, '-')
  return await sendDownload(ctx, reply, {
    fileName: `analytics-${name}-${day}.csv`,
    contentType: 'text/csv; charset=utf-8',
    pieces: toCsv(within(buckets, period).map(toPoint)),
    audit: {
      action: 'domain_analytics.export',
      resource: 'domain_analytics',
      after: { domain: zone?.name ?? id, zone_id: id, period: period.name },
    },
  })
}
