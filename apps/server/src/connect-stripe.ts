import type { AppContext } from './context.ts'
import { watchStripe } from './features/mirror/index.ts'
import { createStripeGateway } from './integrations/stripe/client.ts'
import { retirable } from './integrations/stripe/retire.ts'

type Watch = Pick<AppContext, 'db' | 'clock' | 'log'>
export type StripeAccount = { secretKey: string; apiBase: string | undefined }

/** The door to one account; a change of how it goes is written down. */
export function connectStripe(account: StripeAccount, watch: Watch) {
  const { gateway, retire } = retirable(createStripeGateway(account))
  return { gateway: watchStripe(gateway, watch), retire }
}
