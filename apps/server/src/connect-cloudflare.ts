import type { AppContext } from './context.ts'
import { mostCalls } from './integrations/cloudflare/allowance.ts'
import { connectionName, createCloudflareGateway } from './integrations/cloudflare/client.ts'
import { createAllowance } from './platform/allowance.ts'

export type CloudflareAccount = { apiToken: string; apiBase: string | undefined; accountId: string | undefined }

/** The door to what one token opens; what is asked through it counts with what other processes ask. */
export function connectCloudflare(account: CloudflareAccount, { pool, clock }: Pick<AppContext, 'pool' | 'clock'>) {
  const allowance = createAllowance({ pool, clock }, connectionName(account), mostCalls)
  return createCloudflareGateway({ ...account, allowance })
}
