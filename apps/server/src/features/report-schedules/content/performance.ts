import type { RequestContext } from '../../../context.ts'
import { getPerformance } from '../../usage-reports/index.ts'
import type { Block } from '../render/mail.ts'
import { countText, durationText, figureOf, orUnknown, percentText, shortDayText } from './words.ts'

const uptime = (value: number): string => percentText(value, 3)

/** Days are UTC, as the monitor and Cloudflare keep them. */
export async function performanceBlocks(
  ctx: RequestContext,
  { first, last }: { first: string; last: string },
): Promise<Block[]> {
  const report = await getPerformance(ctx, { range: 'custom', from: first, to: last, compare: 'previous' })
  return [
    {
      ...{ kind: 'figures', title: null },
      figures: [
        figureOf('Uptime', report.uptime, { format: uptime }),
        figureOf('Response time', report.response_time, { format: durationText }),
        figureOf('Requests', report.requests, { format: countText }),
        figureOf('Errors', report.errors, { format: countText }),
      ],
    },
    {
      ...{ kind: 'table', title: 'Performance by day' },
      head: ['Date', 'Response time', 'Uptime', 'Requests', 'Errors'],
      rows: report.rows.map(({ date, response_time, uptime: share, requests, errors }) => [
        shortDayText(date),
        orUnknown(response_time, durationText),
        orUnknown(share, uptime),
        orUnknown(requests, countText),
        orUnknown(errors, countText),
      ]),
      none: 'The range has no days.',
    },
  ]
}
