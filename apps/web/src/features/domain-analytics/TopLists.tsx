import type { AnalyticsError, ZoneAnalytics } from '@agency/contract/types'
import { countryName, formatBytes, formatCount } from '../../lib/format.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import css from './analytics.module.css'

type Row = { name: string; requests: number; bytes: number | null }
type ListProps = { title: string; heading: string; rows: Row[] | null; error: AnalyticsError | null; isCode?: boolean }

// Cloudflare's own: what came over Tor, and what it could not place.
const placeless: Record<string, string> = { T1: 'Tor', XX: 'Unknown' }

export function TopLists({ answer }: { answer: ZoneAnalytics }) {
  const { breakdown, top_paths, top_countries, status_codes } = answer
  const countries = top_countries?.map(({ country, ...row }) => ({
    ...row,
    name: placeless[country] ?? countryName(country),
  }))
  return (
    <>
      <h2 className={css['heading']}>Breakdown</h2>
      <BreakdownNote breakdown={breakdown} />
      <div className={css['lists']}>
        <TopList
          title="Top paths"
          heading="Path"
          rows={top_paths?.map(({ path, ...row }) => ({ ...row, name: path })) ?? null}
          error={breakdown.paths_error}
          isCode
        />
        <TopList title="Top countries" heading="Country" rows={countries ?? null} error={breakdown.error} />
        <TopList
          title="Status codes"
          heading="Status"
          rows={status_codes?.map(({ status, ...row }) => ({ ...row, name: String(status) })) ?? null}
          error={breakdown.error}
          isCode
        />
      </div>
    </>
  )
}

function BreakdownNote({ breakdown }: Pick<ZoneAnalytics, 'breakdown'>) {
  const { since, until, sampled, sample_interval: interval } = breakdown
  if (since === null || until === null) return null
  return (
    <p className={css['limits']}>
      {formatDateTime(since)} to {formatDateTime(until)}
      {sampled && interval !== null
        ? `, sampled: one request in ${formatCount(Math.round(interval))} was counted`
        : null}
    </p>
  )
}

function reasonOf(error: AnalyticsError | null): string {
  if (error?.code === 'no_access') return 'Not included in the plan or the token.'
  return error?.message ?? 'Unknown.'
}

function TopList({ title, heading, rows, error, isCode = false }: ListProps) {
  return (
    <Panel title={title} flush>
      {rows === null ? (
        <EmptyState compact text={reasonOf(error)} />
      ) : rows.length === 0 ? (
        <EmptyState compact text="No requests in this period." />
      ) : (
        <Shares heading={heading} rows={rows} isCode={isCode} />
      )}
    </Panel>
  )
}

function Shares({ heading, rows, isCode }: { heading: string; rows: Row[]; isCode: boolean }) {
  const most = Math.max(...rows.map(({ requests }) => requests), 1)
  return (
    <table className={css['shares']}>
      <thead>
        <tr>
          <th scope="col">{heading}</th>
          <th scope="col">Requests</th>
          <th scope="col">Bandwidth</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, requests, bytes }) => (
          <tr key={name} style={{ backgroundSize: `${Math.round((requests / most) * 100)}% 100%` }}>
            <th scope="row" title={name} data-code={isCode}>
              <bdi>{name}</bdi>
            </th>
            <td>{formatCount(requests)}</td>
            <td>{bytes === null ? '—' : formatBytes(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
