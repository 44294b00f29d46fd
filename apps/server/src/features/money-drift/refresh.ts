import type { DriftClass } from '@agency/contract/money-drift'
import { z } from 'zod'
import { type AppContext, inTransaction } from '../../context.ts'
import { toExpiring, toZone } from './find/names.ts'
import { toServed } from './find/served.ts'
import { toUndelivered, toUnmade } from './find/undelivered.ts'
import { findEmptyZones, findExpiring, findSources, type Sources } from './queries/names.ts'
import { deleteOldDismissals, noteFailure, noteLook, replaceRows, type Unjudged } from './queries/rows.ts'
import { findServed } from './queries/served.ts'
import { findUndelivered, findUnmade } from './queries/undelivered.ts'
import { type Found, toRow } from './row.ts'

export const refreshJob = {
  name: 'money_drift.refresh',
  input: z.object({}),
  policy: 'alone' as const,
  retries: 0,
  expireS: 120,
}

const dismissalsKeptMs = 90 * 86_400_000

const ofStripe: readonly DriftClass[] = ['unpaid', 'undelivered', 'ended', 'domain']

/** Domains that the console itself or its mail stands on hold no customer's site, and are no drift. */
function ownDomains({ config }: Pick<AppContext, 'config'>): string[] {
  const hosts: string[] = []
  if (config.publicUrl !== undefined) hosts.push(new URL(config.publicUrl).hostname)
  const sender = config.mailFrom?.match(/@([a-z0-9.-]+)/i)?.[1]
  if (sender) hosts.push(sender.toLowerCase())
  return hosts
}

const standsOn = (zone: string, hosts: readonly string[]): boolean =>
  hosts.some((host) => host === zone || host.endsWith(`.${zone}`))

/** Zones without a site, or why that cannot be said. */
async function findZones(ctx: AppContext, now: Date, { zonesAt, hasSites }: Sources): Promise<Found[] | string> {
  if (ctx.cloudflare === null) return 'Cloudflare is not connected'
  if (zonesAt === null) return 'Domains not loaded yet'
  // Every zone would be one without a site.
  if (!hasSites) return 'No sites yet'
  const own = ownDomains(ctx)
  const zones = await findEmptyZones(ctx, ctx.cloudflare.connection, now)
  return zones.filter(({ name }) => !standsOn(name, own)).map((zone) => toZone(zone, now))
}

/** What the mirror tells of sites and domains, or why that cannot be said. */
async function findUnbalanced(ctx: AppContext, now: Date, { mirroredAt }: Sources): Promise<Found[] | string> {
  if (mirroredAt === null)
    return ctx.stripe === null ? 'Stripe is not connected' : 'The first import from Stripe is not complete'
  const at = { now, mirroredAt: new Date(mirroredAt) }
  const served = await findServed(ctx, now)
  const undelivered = await findUndelivered(ctx, now)
  const unmade = await findUnmade(ctx, now)
  const expiring = await findExpiring(ctx, ctx.cloudflare?.connection ?? null, now)
  return [
    ...served.flatMap((site) => toServed(site, at) ?? []),
    ...undelivered.map((site) => toUndelivered(site, now)),
    ...unmade.map((bought) => toUnmade(bought, now)),
    ...expiring.map((domain) => toExpiring(domain, now)),
  ]
}

async function findAll(ctx: AppContext, now: Date): Promise<{ found: Found[]; unjudged: Unjudged[] }> {
  const sources = await findSources(ctx, ctx.cloudflare?.connection ?? null)
  const parts: [readonly DriftClass[], Found[] | string][] = [
    [ofStripe, await findUnbalanced(ctx, now, sources)],
    [['zone'], await findZones(ctx, now, sources)],
  ]
  return {
    found: parts.flatMap(([, found]) => (typeof found === 'string' ? [] : found)),
    unjudged: parts.flatMap(([classes, reason]) =>
      typeof reason === 'string' ? classes.map((one) => ({ class: one, reason })) : [],
    ),
  }
}

/** Compares money with reality, as both are known here, and keeps what does not agree. */
export async function refreshDrift(ctx: AppContext): Promise<void> {
  const now = new Date(ctx.clock())
  try {
    await inTransaction(ctx, async (tx) => {
      const { found, unjudged } = await findAll({ ...ctx, db: tx.db }, now)
      await replaceRows(tx, found.map(toRow), now)
      await deleteOldDismissals(tx, new Date(now.getTime() - dismissalsKeptMs))
      await noteLook(tx, now, unjudged)
    })
  } catch (error) {
    ctx.log.error({ err: error }, 'money and reality could not be compared')
    await noteFailure(ctx, now, 'The last comparison failed; see the server log')
  }
}
