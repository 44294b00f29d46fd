import type { AppContext } from '../../../context.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { AppError } from '../../../platform/errors.ts'

export function getGateway({ cloudflare }: Pick<AppContext, 'cloudflare'>): CloudflareGateway {
  if (!cloudflare) throw new AppError('not_connected', 'Cloudflare is not connected')
  return cloudflare
}
