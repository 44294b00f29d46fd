import type { Performance } from '@agency/contract/types'
import { formatBytes, formatCount, formatDuration, formatPercent } from '../../lib/format.ts'
import { gaugeTone } from '../../lib/gauge.ts'
import { LinearGauge } from '../../ui/LinearGauge.tsx'
import { DashboardPanel } from './DashboardPanel.tsx'
import css from './dashboard.module.css'
import type { Dashboard } from './use-dashboard.ts'

// The ends of the scales of what has no natural one.
const slowMs = 1000
const manyErrorsPercent = 10

const unmeasured: Performance = {
  response_time_ms: null,
  response_time_p95_ms: null,
  error_rate_percent: null,
  requests: 0,
  cpu_percent: null,
  memory_percent: null,
  memory_bytes: null,
  storage_percent: null,
  storage_free_bytes: null,
  measured_at: '',
}

export function PerformancePanel({ board }: { board: Dashboard }) {
  return (
    <DashboardPanel
      title="Performance Metrics"
      section="health"
      board={board}
      fallback={<Gauges performance={unmeasured} />}
    >
      {({ performance }) => <Gauges performance={performance} />}
    </DashboardPanel>
  )
}

function Gauges({ performance }: { performance: Performance }) {
  const { response_time_ms: response, response_time_p95_ms: p95, error_rate_percent: errors } = performance
  const { cpu_percent: cpu, memory_percent: memory, storage_percent: storage } = performance
  const requests = `${formatCount(performance.requests)} requests in the last five minutes`
  return (
    <div className={css['gauges']}>
      <LinearGauge
        label="Response time"
        value={response}
        max={slowMs}
        text={response === null ? '' : formatDuration(response)}
        title={p95 === null ? requests : `95% within ${formatDuration(p95)}; ${requests}. The bar ends at 1 s.`}
      />
      <LinearGauge
        label="Error rate"
        value={errors}
        max={manyErrorsPercent}
        text={percent(errors, 2)}
        title={`${requests}. The bar ends at ${manyErrorsPercent}%.`}
      />
      <LinearGauge label="CPU" value={cpu} text={percent(cpu)} tone={gaugeTone('cpu', cpu)} />
      <LinearGauge
        label="Memory"
        value={memory}
        text={percent(memory)}
        tone={gaugeTone('memory', memory)}
        title={
          performance.memory_bytes === null ? undefined : `The console uses ${formatBytes(performance.memory_bytes)}`
        }
      />
      <LinearGauge
        label="Storage"
        value={storage}
        text={percent(storage)}
        tone={gaugeTone('storage', storage)}
        title={
          performance.storage_free_bytes === null ? undefined : `${formatBytes(performance.storage_free_bytes)} free`
        }
      />
    </div>
  )
}

const percent = (value: number | null, digits = 0) => (value === null ? '' : formatPercent(value, digits))
