import type { AppContext } from './context.ts'
import { watchStripe } from './features/mirror/index.ts'
import { connectionName, mostCalls } from './integrations/stripe/allowance.ts'
import { createStripeGateway } from './integrations/stripe/client.ts'
import { retirable } from './integrations/stripe/retire.ts'
import { createAllowance } from './platform/allowance.ts'

type Watch = Pick<AppContext, 'db' | 'pool' | 'clock' | 'log'>
export type StripeAccount = { secretKey: string; apiBase: string | undefined }

/** The door to one account; a change of how it goes is written down. */
export function connectStripe(account: StripeAccount, watch: Watch) {
  const allowance = createAllowance(watch, connectionName(account), mostCalls)
  const { gateway, retire } = retirable(createStripeGateway({ ...account, allowance }))
  return { gateway: watchStripe(gateway, watch), retire }
}
