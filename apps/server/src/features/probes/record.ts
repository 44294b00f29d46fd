import type { HealthStatus } from '@agency/contract/types'
import { type AppContext, inTransaction } from '../../context.ts'
import type { Certificate } from '../../platform/probe/certificate.ts'
import { goodForSecondsOf } from './check-settings.ts'
import { withHeartbeat } from './heartbeat-rule.ts'
import { isUnconfirmed, judge, sslOf } from './judge.ts'
import type { Look } from './look.ts'
import { confirmFailures, findAnswered, insertProbe } from './queries/history.ts'
import { lockState, type ProbedSite, type SeenCertificate, saveState } from './queries/states.ts'
import { confirmAfterMs, nextLookAt } from './schedule.ts'
import { scoredLooks, scoreOf } from './score.ts'
import type { ApplyProbe } from './service/apply.ts'

/** Older looks say nothing of how the site is now. */
const scoredWithinMs = 3_600_000

/** A certificate as it is kept. */
export const seen = (certificate: Certificate, at: string): SeenCertificate => ({
  seen_at: at,
  subject: certificate.subject,
  issuer: certificate.issuer,
  names: certificate.names,
  valid_from: certificate.validFrom.toISOString(),
  valid_to: certificate.validTo.toISOString(),
  is_trusted: certificate.isTrusted,
  problem: certificate.problem,
})

/** Keeps what a look found; answers the site's health after it, or undefined when the site is gone. */
export function recordLook(
  ctx: AppContext,
  apply: ApplyProbe,
  { id: siteId, settings }: Pick<ProbedSite, 'id' | 'settings'>,
  look: Look,
): Promise<HealthStatus | undefined> {
  const { run, finding } = look
  const at = new Date(run.at)
  return inTransaction(ctx, async (tx) => {
    const before = await lockState(tx, siteId, at)
    if (!before) return undefined
    // A newer look was kept meanwhile.
    if (before.lastAt !== null && before.lastAt >= run.at) return before.health
    const looked = judge(run, finding, before, settings, at.getTime())
    const judged = withHeartbeat(looked, before.missing, before.status, at.getTime())
    const isFailure = run.outcome === 'failed'
    const earlier = isFailure
      ? []
      : await findAnswered(tx, siteId, new Date(at.getTime() - scoredWithinMs), scoredLooks - 1)
    const score = isFailure ? null : scoreOf([run, ...earlier])
    const isConfirmed = looked.health === 'down' && before.health !== 'down'
    const since = (isConfirmed && (await confirmFailures(tx, siteId, at))) || at
    await insertProbe(tx, {
      ...run,
      site_id: siteId,
      at,
      health: judged.health,
      in_maintenance: before.inMaintenance,
      is_failure: isFailure,
      score,
      good_for_s: goodForSecondsOf(settings),
    })
    await saveState(tx, siteId, {
      failures: judged.failures,
      recent: judged.recent,
      since: judged.health === before.health ? null : since,
      last: run,
      certificate: finding.certificate && seen(finding.certificate, run.at),
      nextAt: isUnconfirmed(looked, before)
        ? new Date(tx.clock() + confirmAfterMs)
        : nextLookAt(siteId, at.getTime(), settings.interval_seconds * 1000),
    })
    await apply(tx, siteId, {
      at,
      health: judged.health,
      before: before.health,
      detail: judged.detail,
      responseMs: isFailure || run.total_ms === null ? null : Math.round(run.total_ms),
      ssl: sslOf(finding, before.wasSeen, at.getTime()),
      score,
    })
    return judged.health
  })
}
