import type { AppContext } from './context.ts'
import { createAllowance } from './features/domains/index.ts'
import { connectionName, createCloudflareGateway } from './integrations/cloudflare/client.ts'

export type CloudflareAccount = { apiToken: string; apiBase: string | undefined; accountId: string | undefined }

/** The door to what one token opens; what is asked through it counts with what other processes ask. */
export function connectCloudflare(account: CloudflareAccount, { pool, clock }: Pick<AppContext, 'pool' | 'clock'>) {
  return createCloudflareGateway({ ...account, allowance: createAllowance({ pool, clock }, connectionName(account)) })
}
