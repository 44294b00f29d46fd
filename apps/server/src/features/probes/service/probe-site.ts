import { setTimeout as sleep } from 'node:timers/promises'
import type { ProbeRun } from '@agency/contract/probes'
import type { HealthStatus } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { leaseSecondsOf } from '../check-settings.ts'
import { lookAt } from '../look.ts'
import { claimSite, findProbedSite, type ProbedSite } from '../queries/states.ts'
import { recordLook } from '../record.ts'
import { isOwnFailure, postponeLook } from '../round.ts'
import type { ApplyProbe } from './apply.ts'

type Looked = { run: ProbeRun; health: HealthStatus }

const askAgainMs = 200
const askWithinMs = 10_000

/** Whoever looks at it now is done within the time of its lease. */
async function claimSoon(ctx: AppContext, site: ProbedSite): Promise<void> {
  const mostMs = Math.min(askWithinMs, leaseSecondsOf(site.settings) * 1000)
  for (let waitedMs = 0; waitedMs <= mostMs; waitedMs += askAgainMs) {
    if (await claimSite(ctx, site, new Date(ctx.clock()))) return
    await sleep(askAgainMs)
  }
  throw new AppError('unavailable', 'The site is being checked right now. Try again in a moment.', { retryAfter: 5 })
}

export async function probeSite(ctx: AppContext, apply: ApplyProbe, id: string): Promise<Looked> {
  const site = await findProbedSite(ctx, id)
  if (!site) throw notFound(`Site ${id}`)
  if (!site.isLookedAt) throw new AppError('conflict', 'The site is offline. Resume the site first.')
  await claimSoon(ctx, site)
  const look = await lookAt(site, ctx, ctx.clock)
  // One look alone cannot tell whether it is the console's own network that fails.
  if (isOwnFailure(look)) {
    await postponeLook(ctx, site, look)
    throw new AppError(
      'unavailable',
      `The site could not be measured. ${look.run.detail}. The last known state stays. Next check within a minute.`,
    )
  }
  const health = await recordLook(ctx, apply, site, look)
  if (!health) throw notFound(`Site ${id}`)
  return { run: look.run, health }
}
