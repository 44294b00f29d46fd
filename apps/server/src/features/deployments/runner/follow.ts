import { isDeepStrictEqual } from 'node:util'
import type { ServedBuild } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { inTransaction } from '../../../context.ts'
import type { DeployTarget } from '../../sites/index.ts'
import { createMask, maskLines } from '../mask.ts'
import type { DeployProvider, Progress } from '../providers/provider.ts'
import { findLastNumber, insertLines } from '../queries/log.ts'
import type { DeploymentRow } from '../queries/rows.ts'
import { findServedBuild } from '../served.ts'
import { secretValues } from './environment.ts'
import type { Ending } from './finish.ts'
import { end, type Held, patch } from './held.ts'
import { expectedOf } from './prove.ts'

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
  const masked = await maskLines(createMask(await secretValues(ctx, row)), lines)
  await inTransaction(ctx, (tx) => insertLines(tx.db, row.id, masked))
}

function changeOf({ status, ...build }: Progress) {
  return {
    ...(status !== 'failed' && { status: status === 'success' ? 'deploying' : status }),
    ...{ version: build.version, commit_hash: build.commitHash, commit_message: build.commitMessage },
    ...{ branch: build.branch, url: build.url },
    wait_note: null,
  }
}

const isNews = (row: DeploymentRow, { stages }: Progress, change: ReturnType<typeof changeOf>): boolean =>
  !isDeepStrictEqual(row.stages, stages) ||
  Object.entries(change).some(([name, value]) => row[name as keyof DeploymentRow] !== value)

/** Looks how far the provider is. Answers in how many milliseconds it looks again, or null when it is over. */
export async function follow(
  ctx: RequestContext,
  held: Held,
  row: DeploymentRow,
  { target, provider }: { target: DeployTarget; provider: DeployProvider },
): Promise<number | null> {
  const progress = await provider.read(row)
  if (progress === 'untold') {
    if (row.wait_note !== null) await patch(ctx, held, { wait_note: null })
    return followUntold(ctx, held, row, { target, provider })
  }
  if (progress === null) return end(ctx, held, () => ({ status: 'failed', failure: 'Deleted at Cloudflare' }))
  const isBuilt = progress.status === 'success'
  const isLast = isBuilt || progress.status === 'failed'
  await takeLog(ctx, held, row, provider, isLast).catch((error: unknown) => {
    ctx.log.warn({ err: error, deployment: row.id }, 'the log of a build could not be read')
  })
  const change = changeOf(progress)
  if (isLast || isNews(row, progress, change)) {
    const stages = JSON.stringify(progress.stages)
    const isHeld = await patch(ctx, held, { ...change, stages, ...(isBuilt && { built_at: new Date(ctx.clock()) }) })
    if (!isHeld) return null
  }
  if (progress.status === 'failed')
    return end(ctx, held, () => ({ status: 'failed', failure: progress.failure ?? 'The build failed' }))
  return isBuilt ? 0 : pause(ctx, row)
}

/** Of a build whose name the builder did not tell: another one than before the call is it. */
function isNewBuild({ build_id, source }: ServedBuild, { known_before, kind }: DeploymentRow): boolean {
  const known = known_before ?? []
  return kind !== 'rollback' && source === 'response' && known.length > 0 && !known.includes(String(build_id))
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
  const expected = await expectedOf(ctx, row)
  const served = await findServedBuild(ctx, { domain: target.site.domain, expected, provider })
  const isNew = expected === null && isNewBuild(served, row)
  if (served.matches === true || isNew) {
    const change = { built_at: new Date(ctx.clock()), ...(isNew && { build_id: served.build_id }) }
    return (await patch(ctx, held, change)) ? 0 : null
  }
  if (waited < untoldForMs) return steadyMs
  return end(ctx, held, () => endingUntold(row, served))
}

/** Long enough was waited, and the awaited build was not seen. */
function endingUntold(row: DeploymentRow, served: ServedBuild): Ending {
  const { kind, callback_hash, known_before, provider_error } = row
  const call = provider_error ?? 'The deploy hook accepted the call'
  const told = `${call} and ${callback_hash === null ? 'does not report' : 'never reported'}`
  const isSame = served.build_id !== null && (known_before ?? []).includes(served.build_id)
  if (served.matches === false || isSame) {
    const what = isSame ? 'the previous build is still live' : 'another build is live'
    return { status: 'failed', failure: `${told}; after ${untoldForMs / 60_000} minutes ${what}`, served }
  }
  const detail = `${told}. ${served.detail}: unknown whether ${kind === 'rollback' ? 'the old build' : 'the build'} is live`
  return kind === 'rollback' || provider_error !== null
    ? { status: 'failed', failure: detail, served }
    : { status: 'success', served: { ...served, detail } }
}
