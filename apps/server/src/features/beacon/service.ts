import type { SiteBeacon, updateSiteBeacon } from '@agency/contract/beacons'
import type { BodyOf } from '@agency/contract/endpoint'
import { inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { hostsOf } from './hit.ts'
import {
  type BeaconSite,
  deleteHoursBefore,
  findBeaconSite,
  findCounted,
  lockBeaconSite,
  switchBeacon,
} from './queries.ts'

const dayMs = 86_400_000
const shownDays = 30
const keptHourDays = 396

/** Quotes in an address would end the attribute; a URL has none. */
const tagOf = (publicUrl: string | undefined, id: string): string | null =>
  publicUrl === undefined
    ? null
    : `<script defer src="${new URL('/beacon.js', publicUrl).href}" data-site="${id}"></script>`

async function toShown(ctx: RequestContext, site: BeaconSite): Promise<SiteBeacon> {
  const counted = await findCounted(ctx, site.id, new Date(ctx.clock() - (shownDays - 1) * dayMs))
  return {
    is_on: site.is_on,
    tag: tagOf(ctx.config.publicUrl, site.id),
    hosts: hostsOf(site),
    heard_from: site.heard_from?.toISOString() ?? null,
    heard_at: site.heard_at?.toISOString() ?? null,
    ...counted,
    version: site.version,
  }
}

export async function getBeacon(ctx: RequestContext, id: string): Promise<SiteBeacon> {
  const site = await findBeaconSite(ctx, id)
  if (!site) throw notFound(`Site ${id}`)
  return toShown(ctx, site)
}

export async function updateBeacon(
  ctx: RequestContext,
  id: string,
  { is_on, version }: BodyOf<typeof updateSiteBeacon>,
): Promise<SiteBeacon> {
  await inTransaction(ctx, async (tx) => {
    const site = await lockBeaconSite(tx, id)
    if (!site) throw notFound(`Site ${id}`)
    if (site.is_on === is_on) return
    if (version !== site.version)
      throw new AppError('conflict', 'Someone else changed the beacon of this site. Nothing was saved.', {
        parameter: 'version',
      })
    await switchBeacon(tx, id, is_on, site.version + 1, new Date(tx.clock()))
    await recordAudit(tx, {
      ...{ action: 'site.update_beacon', resource: 'site', id },
      ...{ before: { is_on: site.is_on }, after: { is_on } },
    })
  })
  return getBeacon(ctx, id)
}

export const forgetOldHours = (ctx: RequestContext): Promise<void> =>
  deleteHoursBefore(ctx, new Date(ctx.clock() - keptHourDays * dayMs))
