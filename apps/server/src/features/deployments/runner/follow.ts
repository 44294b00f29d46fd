import type { RequestContext } from '../../../context.ts'
import { inTransaction } from '../../../context.ts'
import type { DeployTarget } from '../../sites/index.ts'
import { createMask } from '../mask.ts'
import type { DeployProvider, Progress } from '../providers/provider.ts'
import { findLastNumber, insertLines } from '../queries/log.ts'
import type { DeploymentRow } from '../queries/rows.ts'
import { findServedBuild } from '../served.ts'
import { secretValues } from './environment.ts'
import { end, type Held, patch } from './held.ts'

const quickMs = 1000
const steadyMs = 2500
const quickForMs = 60_000
/** A log so long is not fetched whole with every look. */
const longLog = 5000
const longLogMs = 10_000
/** A builder that does not tell is looked for at the site for so long. */
const untoldForMs = 10 * 60_000
/** One that was to tell, and does not. */
const lateMs = 2 * 60_000

const startedMs = (row: DeploymentRow): number => (row.accepted_at ?? row.sent_at ?? row.queued_at).getTime()
const pause = (ctx: RequestContext, row: DeploymentRow): number =>
  ctx.clock() - startedMs(row) < quickForMs ? quickMs : steadyMs

/** Takes the lines that are new. What cannot be fetched now is fetched with the next look. */
async function takeLog(ctx: RequestContext, held: Held, row: DeploymentRow, provider: DeployProvider, isLast: boolean) {
  const after = await findLastNumber(ctx.db, row.id)
  if (!isLast && after > longLog && ctx.clock() - held.readLogAt < longLogMs) return
  held.readLogAt = ctx.clock()
  const lines = await provider.readLog(row, after)
  if (lines.length === 0) return
  const mask = createMask(await secretValues(ctx, row))
  await inTransaction(ctx, (tx) =>
    insertLines(
      tx.db,
      row.id,
      lines.map((line) => ({ ...line, text: mask(line.text) })),
    ),
  )
}

function changeOf({ status, stages, ...build }: Progress) {
  const isBuilt = status === 'success'
  return {
    ...(isBuilt || status === 'failed' ? {} : { status }),
    ...(isBuilt && { status: 'deploying' }),
    stages: JSON.stringify(stages),
    ...{ version: build.version, commit_hash: build.commitHash, commit_message: build.commitMessage },
    ...{ branch: build.branch, url: build.url },
    wait_note: null,
  }
}

const isNews = (row: DeploymentRow, change: ReturnType<typeof changeOf>): boolean =>
  Object.entries(change).some(([name, value]) => {
    const now = row[name as keyof DeploymentRow]
    return (name === 'stages' ? JSON.stringify(now) !== canonical(value) : now !== value) && value !== undefined
  })

/** As the database keeps an object: its own order of fields. */
const canonical = (text: unknown): string =>
  JSON.stringify(
    (JSON.parse(String(text)) as Record<string, unknown>[]).map((stage) =>
      Object.fromEntries(
        Object.entries(stage).sort(([one], [other]) => one.length - other.length || (one < other ? -1 : 1)),
      ),
    ),
  )

/** Looks how far the provider is. Answers in how many milliseconds it looks again, or null when it is over. */
export async function follow(
  ctx: RequestContext,
  held: Held,
  row: DeploymentRow,
  { target, provider }: { target: DeployTarget; provider: DeployProvider },
): Promise<number | null> {
  const progress = await provider.read(row)
  if (progress === 'untold') return followUntold(ctx, held, row, { target, provider })
  if (progress === null)
    return end(ctx, held, () => ({ status: 'failed', failure: 'It does not exist at the provider any more' }))
  const isBuilt = progress.status === 'success'
  const isLast = isBuilt || progress.status === 'failed'
  await takeLog(ctx, held, row, provider, isLast).catch((error: unknown) => {
    ctx.log.warn({ err: error, deployment: row.id }, 'the log of a build could not be read')
  })
  const change = changeOf(progress)
  if (isLast || isNews(row, change)) {
    const isHeld = await patch(ctx, held, { ...change, ...(isBuilt && { built_at: new Date(ctx.clock()) }) })
    if (!isHeld) return null
  }
  if (progress.status === 'failed')
    return end(ctx, held, () => ({ status: 'failed', failure: progress.failure ?? 'The build failed' }))
  return isBuilt ? 0 : pause(ctx, row)
}

/** The builder tells by calls, or not at all: then what the site serves is all that can be known. */
async function followUntold(
  ctx: RequestContext,
  held: Held,
  row: DeploymentRow,
  { target, provider }: { target: DeployTarget; provider: DeployProvider },
): Promise<number | null> {
  const waited = ctx.clock() - startedMs(row)
  if (row.callback_hash !== null && waited < lateMs) return pause(ctx, row)
  const served = await findServedBuild(ctx, { domain: target.site.domain, expected: row.build_id, provider })
  if (served.matches === true) return (await patch(ctx, held, { built_at: new Date(ctx.clock()) })) ? 0 : null
  if (waited < untoldForMs) return steadyMs
  const told =
    row.callback_hash === null
      ? 'The deploy hook took the call and does not report'
      : 'The deploy hook took the call and never reported'
  if (served.build_id === null)
    return end(ctx, held, () => ({
      status: 'success',
      served: { ...served, detail: `${told}. ${served.detail}: whether the build is served is not known` },
    }))
  return end(ctx, held, () => ({
    status: 'failed',
    failure: `${told}; after ${untoldForMs / 60_000} minutes another build is served`,
    served,
  }))
}
