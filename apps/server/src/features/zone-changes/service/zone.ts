import type { AppContext } from '../../../context.ts'
import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { findZone } from '../../domains/index.ts'

export type Zone = { id: string; name: string; gateway: CloudflareGateway }

export function getConnected({ cloudflare }: Pick<AppContext, 'cloudflare'>): CloudflareGateway {
  if (!cloudflare) throw new AppError('not_connected', 'Cloudflare is not connected')
  return cloudflare
}

/** A domain that Cloudflare is known to have. */
export async function getZone(ctx: Pick<AppContext, 'db' | 'cloudflare'>, id: string): Promise<Zone> {
  const cloudflare = getConnected(ctx)
  const zone = await findZone(ctx, id.replaceAll('\0', ''))
  if (!zone) throw notFound(`Domain ${id}`)
  return { id: zone.id, name: zone.name, gateway: cloudflare }
}

/** A token that is not good at all is refused with 401; with 403 it lacks a right. */
export const lacksRight = (error: unknown): boolean =>
  error instanceof CloudflareError && error.kind === 'auth' && error.providerStatus !== 401

export const namesRight = (right: 'DNS:Read' | 'DNS:Edit') => (error: unknown) => {
  throw lacksRight(error)
    ? new AppError('provider_auth', `No access: the token lacks ${right}`, { cause: error })
    : error
}
