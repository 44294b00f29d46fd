import { zoneSettings } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { ZoneSetting, ZoneSettingName } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import { findNewest } from '../queries/changes.ts'
import { findSitesBelow, mostNamed } from '../queries/sites.ts'
import { toChange } from './undo-rules.ts'
import { getZone, lacksRight, type Zone } from './zone.ts'

type Where = Pick<AppContext, 'db' | 'pool' | 'clock' | 'cloudflare'>

/** What one token may not read does not take the others away. */
async function readSetting({ id, gateway }: Zone, name: ZoneSettingName): Promise<ZoneSetting> {
  try {
    return { name, value: await gateway.getSetting(id, name), problem: null }
  } catch (error) {
    if (!(error instanceof CloudflareError)) throw error
    const right = name === 'paused' ? 'Zone:Read' : 'Zone Settings:Read'
    return { name, value: null, problem: lacksRight(error) ? `No access: the token lacks ${right}` : error.message }
  }
}

/** As they are now: what somebody reads before changing them must not be old. */
export async function listSettings(ctx: Where, id: string): Promise<ResponseOf<typeof zoneSettings.listZoneSettings>> {
  const zone = await getZone(ctx, id)
  const [settings, sites, newest] = await Promise.all([
    Promise.all(zoneSettings.zoneSettingNames.map((name) => readSetting(zone, name))),
    findSitesBelow(ctx.pool, zone.name),
    findNewest(ctx.db, zone.id),
  ])
  return {
    settings,
    sites: sites.slice(0, mostNamed).map(({ id: site, site_name }) => ({ id: site, site_name })),
    sites_total: sites.length,
    fetched_at: new Date(ctx.clock()).toISOString(),
    last_change: newest?.state === 'done' ? toChange(newest, ctx.clock()) : null,
  }
}
