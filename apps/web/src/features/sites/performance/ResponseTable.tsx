import type { SitePerformance } from '@agency/contract/types'
import { formatCount, formatDuration } from '../../../lib/format.ts'
import css from './performance.module.css'
import { deploymentWords, type Slot, spanName } from './slots.ts'

type Props = { performance: SitePerformance; slots: Slot[] }

const duration = (ms: number | null) => (ms === null ? '–' : formatDuration(ms))

/** The chart's figures, newest first; spans in which nothing happened are left out. */
export function ResponseTable({ performance, slots }: Props) {
  const rows = slots.filter(({ point, deployments }) => point !== null || deployments.length > 0).reverse()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section className={css['scroll']} tabIndex={0} aria-label="Response time as a table">
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Whole answer</th>
            <th scope="col">First byte</th>
            <th scope="col">Probes</th>
            <th scope="col">Failed</th>
            <th scope="col">Score</th>
            <th scope="col">Deployments</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, point, deployments }) => (
            <tr key={at}>
              <th scope="row">{spanName(at, performance)}</th>
              <td>{duration(point?.response_ms ?? null)}</td>
              <td>{duration(point?.ttfb_ms ?? null)}</td>
              <td>{formatCount(point?.probes ?? 0)}</td>
              <td>{formatCount(point?.failures ?? 0)}</td>
              <td>{point?.score ?? '–'}</td>
              <td>
                <bdi>{deployments.map(deploymentWords).join(', ')}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
