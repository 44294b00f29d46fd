import type { SitePerformance } from '@agency/contract/types'
import { formatDuration } from '../../../lib/format.ts'
import { ChartPanel } from '../../../ui/chart/ChartPanel.tsx'
import type { Scale } from '../../../ui/chart/chart.ts'
import { chartColors } from '../../../ui/chart/colors.ts'
import { ResponseTable } from './ResponseTable.tsx'
import { deploymentWords, slotsOf, spanName, tickOf, turnWords } from './slots.ts'

const scale: Scale = { format: formatDuration, short: formatDuration, base: 10 }
const looks = {
  response: { label: 'Whole answer', note: 'median', color: chartColors.main },
  ttfb: { label: 'First byte', note: 'median', color: chartColors.second },
}

export function ResponsePanel({ performance }: { performance: SitePerformance }) {
  const slots = slotsOf(performance)
  const wordsAt = new Map(
    slots.map(({ at, deployments, incidents }) => [
      at,
      [...deployments.map(deploymentWords), ...incidents.map(turnWords)],
    ]),
  )
  /** A false positive was none. */
  const turnsAt = (wanted: 'began' | 'ended') =>
    slots
      .filter(({ incidents }) => incidents.some(({ incident, turn }) => turn === wanted && !incident.is_false_positive))
      .map(({ at }) => at)
  return (
    <ChartPanel
      title="Response time"
      first="From"
      slots={slots.map(({ at }) => at)}
      lines={[
        { id: 'response', ...looks.response, values: slots.map(({ point }) => point?.response_ms ?? null) },
        { id: 'ttfb', ...looks.ttfb, values: slots.map(({ point }) => point?.ttfb_ms ?? null) },
      ]}
      scale={scale}
      tickOf={(at) => tickOf(at, performance)}
      nameOf={(at) => [spanName(at, performance), ...(wordsAt.get(at) ?? [])].join(' · ')}
      marks={[
        { label: 'Deployment', at: slots.filter(({ deployments }) => deployments.length > 0).map(({ at }) => at) },
        { label: 'Incident began', isBad: true, at: turnsAt('began') },
        { label: 'Incident ended', at: turnsAt('ended') },
      ]}
      empty={performance.series.length === 0 ? 'No measurements in this period.' : undefined}
      undrawable="No successful checks in this period."
      table={<ResponseTable performance={performance} slots={slots} />}
    />
  )
}
