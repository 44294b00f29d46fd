import type { ProbeRun } from '@agency/contract/types'
import { formatBytes, formatDuration } from '../../../lib/format.ts'
import { Panel } from '../../../ui/Panel.tsx'
import css from './performance.module.css'

const labels = [
  ['dns_ms', 'Name look-up'],
  ['connect_ms', 'Connection'],
  ['tls_ms', 'TLS'],
  ['ttfb_ms', 'First byte'],
  ['download_ms', 'Download'],
] as const

type Part = { label: string; ms: number | null; start: number }

/** The parts one after the other, as they happened. */
function partsOf(run: ProbeRun): { parts: Part[]; total: number } {
  let total = 0
  const parts = labels.map(([key, label]) => {
    const part = { label, ms: run[key], start: total }
    total += run[key] ?? 0
    return part
  })
  return { parts, total }
}

export function LastLook({ run }: { run: ProbeRun }) {
  const { parts, total } = partsOf(run)
  const percent = (ms: number) => `${total === 0 ? 0 : (100 * ms) / total}%`
  return (
    <Panel title="Last probe" asOf={run.at}>
      <p className={css['remark']}>
        {run.detail}. <bdi className={css['muted']}>{run.url}</bdi>
      </p>
      <dl className={css['parts']}>
        {parts.map(({ label, ms, start }) => (
          <div key={label} className={css['part']}>
            <dt>{label}</dt>
            <span className={css['track']} aria-hidden="true">
              {ms === null ? null : (
                <span className={css['bar']} style={{ left: percent(start), width: percent(ms) }} />
              )}
            </span>
            <dd>{ms === null ? <span className={css['muted']}>none</span> : partText(ms)}</dd>
          </div>
        ))}
      </dl>
      <p className={css['remark']} style={{ margin: '12px 0 0' }}>
        <span className={css['muted']}>{remarksOf(run)}</span>
      </p>
    </Panel>
  )
}

const partText = (ms: number): string => (ms < 10 ? `${Number(ms.toFixed(1))} ms` : formatDuration(ms))

function remarksOf({ total_ms, bytes, redirects }: ProbeRun): string {
  return [
    total_ms === null ? null : `${partText(total_ms)} total`,
    bytes === null ? null : `${formatBytes(bytes)} read`,
    redirects === 0 ? null : redirects === 1 ? '1 redirect' : `${redirects} redirects`,
  ]
    .filter((part) => part !== null)
    .join(', ')
}
