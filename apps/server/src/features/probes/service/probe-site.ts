import { setTimeout as sleep } from 'node:timers/promises'
import type { ProbeRun } from '@agency/contract/probes'
import type { HealthStatus } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { claimMs, lookWithinMs } from '../intervals.ts'
import { lookAt } from '../look.ts'
import { postpone } from '../queries/outage.ts'
import { claimSite, findProbedSite } from '../queries/states.ts'
import { recordLook } from '../record.ts'
import { isOwnFailure } from '../round.ts'
import type { ApplyProbe } from './apply.ts'

type Looked = { run: ProbeRun; health: HealthStatus }

/** A site that is gone, or was taken offline, is left alone; one that is just looked at stays due. */
export async function lookAtSite(ctx: AppContext, apply: ApplyProbe, id: string, signal: AbortSignal): Promise<void> {
  const site = await findProbedSite(ctx, id)
  if (!site?.isLookedAt || !(await claim(ctx, id))) return
  const look = await lookAt(site, ctx, ctx.clock, signal)
  if (isOwnFailure(look)) await postpone(ctx, id, new Date(look.run.at))
  else await recordLook(ctx, apply, id, look)
}

const claim = (ctx: AppContext, id: string): Promise<boolean> =>
  claimSite(ctx, id, new Date(ctx.clock()), new Date(ctx.clock() + claimMs))

const askAgainMs = 200

/** Whoever looks at it now is done within the time of a look. */
async function claimSoon(ctx: AppContext, id: string): Promise<void> {
  for (let waitedMs = 0; waitedMs <= lookWithinMs; waitedMs += askAgainMs) {
    if (await claim(ctx, id)) return
    await sleep(askAgainMs)
  }
  throw new AppError('unavailable', 'The site is being checked right now. Try again in a moment.', { retryAfter: 5 })
}

export async function probeSite(ctx: AppContext, apply: ApplyProbe, id: string): Promise<Looked> {
  const site = await findProbedSite(ctx, id)
  if (!site) throw notFound(`Site ${id}`)
  if (!site.isLookedAt)
    throw new AppError('conflict', 'The site was taken offline, so there is nothing to look at. Resume it first.')
  await claimSoon(ctx, id)
  const look = await lookAt(site, ctx, ctx.clock)
  // One look alone cannot tell whether it is the console's own network that fails.
  if (isOwnFailure(look)) {
    await postpone(ctx, id, new Date(look.run.at))
    throw new AppError(
      'unavailable',
      `The site could not be measured. ${look.run.detail}. What was known of it is kept, and it is looked at again within a minute.`,
    )
  }
  const health = await recordLook(ctx, apply, id, look)
  if (!health) throw notFound(`Site ${id}`)
  return { run: look.run, health }
}
