import { randomUUID } from 'node:crypto'
import type { SecurityFinding } from '@agency/contract/security'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { auditChecks } from '../checks/audit.ts'
import { type Check, type Judged, unknown } from '../checks/check.ts'
import { headerChecks } from '../checks/headers.ts'
import { keyChecks } from '../checks/keys.ts'
import { peopleChecks } from '../checks/people.ts'
import { systemChecks } from '../checks/system.ts'
import { deleteRunsBefore, findNewestRun, findScores, insertRun } from '../queries/runs.ts'
import { scoreOf } from '../score.ts'

const checks: readonly Check[] = [...peopleChecks, ...keyChecks, ...headerChecks, ...auditChecks, ...systemChecks]
const shownScores = 60
const keptMs = 400 * 86_400_000

/** A check that fails is a thing not known, never a thing that is fine. */
async function runOne(ctx: RequestContext, { id, title, run }: Check): Promise<SecurityFinding> {
  const judged: Judged = await Promise.resolve()
    .then(() => run(ctx))
    .catch((error: unknown) => {
      ctx.log.warn({ err: error, check: id }, 'a security check failed')
      return unknown('Could not be checked now')
    })
  const { state, finding, advice, link } = judged
  return {
    id,
    title,
    state,
    finding,
    advice: advice ?? null,
    link: link?.path ?? null,
    link_text: link?.text ?? null,
  }
}

export async function runSecurityChecks(ctx: RequestContext) {
  const findings: SecurityFinding[] = []
  for (const check of checks) findings.push(await runOne(ctx, check))
  const score = scoreOf(findings)
  const run = { id: randomUUID(), at: new Date(ctx.clock()), actorName: ctx.actor.name, score, findings }
  await inTransaction(ctx, async (tx) => {
    await insertRun(tx, run)
    await deleteRunsBefore(tx, new Date(tx.clock() - keptMs))
    await recordAudit(tx, { action: 'security.run_checks', resource: 'security', id: run.id, after: { score } })
  })
  // The database tells every process, this one included, but its own next request may come sooner.
  ctx.changes.tell('security')
  return { run: { id: run.id, at: run.at.toISOString(), actor_name: run.actorName, score, findings } }
}

export async function getSecurityChecks(ctx: RequestContext) {
  const [newest, scores] = await Promise.all([findNewestRun(ctx), findScores(ctx, shownScores)])
  const run = newest && {
    id: newest.id,
    at: newest.at.toISOString(),
    actor_name: newest.actor_name,
    score: newest.score,
    findings: newest.findings as SecurityFinding[],
  }
  return { run: run ?? null, history: scores.map(({ at, score }) => ({ at: at.toISOString(), score })).reverse() }
}
