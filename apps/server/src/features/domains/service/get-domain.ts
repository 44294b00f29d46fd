import type { DomainDetails } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { notFound } from '../../../platform/errors.ts'
import { toDomainDetails } from '../domain.ts'
import { type DomainRow, findDomain } from '../queries/domains.ts'
import { findListState } from '../queries/list-state.ts'
import { saveSettings } from '../queries/zones.ts'
import { getGateway } from './connection.ts'
import { askSettings } from './read-settings.ts'

const lifetimeMs = 10 * 60_000
type Where = Pick<AppContext, 'pool' | 'clock' | 'cloudflare' | 'config'>

export async function getRow({ pool }: Where, { connection }: CloudflareGateway, id: string): Promise<DomainRow> {
  const row = await findDomain(pool, connection, id)
  if (!row) throw notFound(`Domain ${id}`)
  return row
}

/** Why nothing newer is known is said beside what is known. */
async function readSettings(ctx: Where, gateway: CloudflareGateway, row: DomainRow): Promise<void> {
  try {
    await saveSettings(ctx, [await askSettings(gateway, row.id)])
  } catch (error) {
    if (!(error instanceof CloudflareError)) throw error
    const kept = { value: null, problem: error.message, isKept: true }
    await saveSettings(ctx, [{ id: row.id, ssl: kept, dnssec: kept }])
  }
}

export async function getDomain(ctx: Where, id: string): Promise<DomainDetails> {
  const gateway = getGateway(ctx)
  const row = await getRow(ctx, gateway, id)
  const isOld = row.settings_at === null || ctx.clock() - Date.parse(row.settings_at) > lifetimeMs
  if (isOld) await readSettings(ctx, gateway, row)
  const [now, { fetched_at }] = await Promise.all([
    isOld ? getRow(ctx, gateway, id) : row,
    findListState(ctx, gateway.connection),
  ])
  return toDomainDetails(now, ctx.config.mode, fetched_at ?? new Date(ctx.clock()).toISOString())
}
