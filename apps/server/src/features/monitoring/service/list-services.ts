import { type MonitoredService, services } from '@agency/contract/monitoring'
import type { AppContext } from '../../../context.ts'
import { findServices } from '../queries/services.ts'
import { findServicesSeen } from '../queries/uptime.ts'
import { serviceNames } from '../service-names.ts'
import { uptimesOf } from './uptimes.ts'

const toIso = (at: Date | null | undefined): string | null => at?.toISOString() ?? null

/** In the order of the contract, those that were never looked at too. */
export async function listServices(ctx: AppContext): Promise<{ services: MonitoredService[] }> {
  const now = ctx.clock()
  const [rows, seen] = await Promise.all([findServices(ctx, new Date(now)), findServicesSeen(ctx, services, now)])
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return {
    services: services.map((key) => {
      const row = byKey.get(key)
      return {
        key,
        ...serviceNames[key],
        status: row?.status ?? 'unknown',
        detail: row?.detail || 'Not checked yet',
        since: toIso(row?.since),
        checked_at: toIso(row?.checkedAt),
        response_ms: row?.responseMs ?? null,
        active_alerts: row?.activeAlerts ?? 0,
        ...uptimesOf(seen.get(key), now),
      }
    }),
  }
}
