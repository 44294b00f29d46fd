import type { domains } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { AppContext } from '../../../context.ts'
import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import { AppError } from '../../../platform/errors.ts'
import { getGateway } from './connection.ts'
import { getRow } from './get-domain.ts'

const perPage = 100
type Where = Pick<AppContext, 'pool' | 'clock' | 'cloudflare' | 'config'>

function named(error: unknown): unknown {
  const lacksRight = error instanceof CloudflareError && error.kind === 'auth' && error.providerStatus !== 401
  return lacksRight ? new AppError('provider_auth', 'No access: the token lacks DNS:Read', { cause: error }) : error
}

/** As they are now: what somebody reads before changing DNS must not be old. */
export async function listRecords(
  ctx: Where,
  id: string,
  page: number,
): Promise<ResponseOf<typeof domains.listDomainRecords>> {
  const gateway = getGateway(ctx)
  const { id: zoneId } = await getRow(ctx, gateway, id)
  const { records, total } = await gateway.listRecords(zoneId, page).catch((error: unknown) => {
    throw named(error)
  })
  return {
    records: records.map(({ id, type, name, content, ttl, proxied, priority, comment }) => ({
      id,
      type,
      name,
      content: content ?? null,
      ttl: ttl ?? null,
      proxied: proxied ?? null,
      priority: priority ?? null,
      comment: comment ?? null,
    })),
    has_more: total === null ? records.length === perPage : page * perPage < total,
    total,
    fetched_at: new Date(ctx.clock()).toISOString(),
  }
}
