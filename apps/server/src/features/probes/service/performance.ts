import type { PerformanceRange, SiteCertificate, SitePerformance } from '@agency/contract/probes'
import type { AppContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { goodForSecondsOf } from '../check-settings.ts'
import { findRolledUntil } from '../queries/history.ts'
import {
  findDeploymentMarks,
  findHourlySpans,
  findIncidentMarks,
  findSiteFacts,
  findSpans,
  type SiteFacts,
  type Span,
} from '../queries/performance.ts'
import type { SeenCertificate } from '../queries/states.ts'

const hourS = 3600
const dayS = 24 * hourS

const ranges: Record<PerformanceRange, { seconds: number; stepS: number }> = {
  '24h': { seconds: dayS, stepS: hourS / 4 },
  '7d': { seconds: 7 * dayS, stepS: hourS },
  '30d': { seconds: 30 * dayS, stepS: 6 * hourS },
  '90d': { seconds: 90 * dayS, stepS: dayS },
}

/** Spans begin at whole steps, so the first one is a whole one too. */
function boundsOf(range: PerformanceRange, now: number) {
  const { seconds, stepS } = ranges[range]
  const step = stepS * 1000
  const since = new Date(Math.ceil((now - seconds * 1000) / step) * step)
  return { since, until: new Date(now), stepS }
}

type Bounds = ReturnType<typeof boundsOf>

async function spansIn(ctx: AppContext, siteId: string, bounds: Bounds): Promise<Span[]> {
  const { since, stepS } = bounds
  // A look of this very moment counts.
  const until = new Date(bounds.until.getTime() + 1)
  if (stepS < hourS) return findSpans(ctx, siteId, since, until, stepS)
  const rolled = await findRolledUntil(ctx)
  const rolledUntil = rolled && rolled > since ? rolled : since
  return findHourlySpans(ctx, siteId, { from: since, rolledUntil, to: until, stepS })
}

const sum = (spans: readonly Span[], of: (span: Span) => number) => spans.reduce((total, span) => total + of(span), 0)

function uptimeOf(spans: readonly Span[], { since, until }: Bounds, createdAt: Date): SitePerformance['uptime'] {
  const known = sum(spans, (span) => span.known_seconds)
  const down = sum(spans, (span) => span.down_seconds)
  const maintenance = sum(spans, (span) => span.maintenance_seconds)
  const start = Math.max(since.getTime(), createdAt.getTime())
  const all = Math.max(0, Math.round((until.getTime() - start) / 1000))
  return {
    percent: known === 0 ? null : (100 * (known - down)) / known,
    known_seconds: known,
    down_seconds: down,
    maintenance_seconds: maintenance,
    unknown_seconds: Math.max(0, all - known - maintenance),
  }
}

const dayMs = dayS * 1000

export const shown = (certificate: SeenCertificate, now: number): SiteCertificate => ({
  ...certificate,
  days_left: Math.floor((Date.parse(certificate.valid_to) - now) / dayMs),
})

const toIso = (at: Date | null) => at?.toISOString() ?? null

const isStale = ({ checkedAt, settings }: SiteFacts, now: number) =>
  checkedAt === null || now - checkedAt.getTime() > 1000 * goodForSecondsOf(settings)

export async function getPerformance(ctx: AppContext, id: string, range: PerformanceRange): Promise<SitePerformance> {
  const now = ctx.clock()
  const bounds = boundsOf(range, now)
  const facts = await findSiteFacts(ctx, id)
  if (!facts) throw notFound(`Site ${id}`)
  const [spans, marks, incidents] = await Promise.all([
    spansIn(ctx, id, bounds),
    findDeploymentMarks(ctx, id, bounds.since, bounds.until),
    findIncidentMarks(ctx, id, bounds.since, bounds.until),
  ])
  const stale = isStale(facts, now)
  return {
    site_id: id,
    range,
    since: bounds.since.toISOString(),
    until: bounds.until.toISOString(),
    bucket_seconds: bounds.stepS,
    interval_seconds: facts.settings.interval_seconds,
    health: {
      status: stale ? 'unknown' : facts.health,
      detail: facts.detail,
      checked_at: toIso(facts.checkedAt),
    },
    is_stale: stale,
    response_ms: facts.responseMs,
    score: facts.score,
    scored_at: toIso(facts.scoredAt),
    uptime: uptimeOf(spans, bounds, facts.createdAt),
    series: spans
      .filter(({ probes }) => probes > 0)
      .map(({ at, probes, failures, response_ms, ttfb_ms, score }) => ({
        ...{ at: at.toISOString(), probes, failures, response_ms, ttfb_ms, score },
      })),
    deployments: marks.map((mark) => ({ ...mark, at: mark.at.toISOString() })),
    incidents: incidents.map(({ opened_at, resolved_at, ...mark }) => ({
      ...mark,
      opened_at: opened_at.toISOString(),
      resolved_at: toIso(resolved_at),
    })),
    last: facts.last,
    certificate: facts.certificate && shown(facts.certificate, now),
  }
}
