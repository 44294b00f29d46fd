import type { Config } from '../../config.ts'
import { cloudflareApi, verifyToken } from '../../integrations/cloudflare/verify.ts'
import { createStripeGateway } from '../../integrations/stripe/client.ts'
import { type Finding, fail, ok, reasonOf, warn } from './finding.ts'

const patienceMs = 5000

export function checkMode({ mode }: Pick<Config, 'mode'>): Finding {
  const says = {
    demo: 'demo: the sandbox that ships with the console plays the providers',
    test: "test: Stripe's test data, no real money",
    live: 'live: real customers and real money',
  }
  return ok('Mode', says[mode])
}

export async function checkStripe({ mode, stripe }: Pick<Config, 'mode' | 'stripe'>): Promise<Finding> {
  const { secretKey, apiBase } = stripe
  if (secretKey === undefined)
    return mode === 'demo' ? ok('Stripe', 'the sandbox') : warn('Stripe', 'not connected', 'set STRIPE_SECRET_KEY')
  try {
    const account = await createStripeGateway({ secretKey, apiBase, timeoutMs: patienceMs }).getAccount()
    return ok('Stripe', `reached, account ${account.id}${account.name === null ? '' : ` (${account.name})`}`)
  } catch (error) {
    return fail(
      'Stripe',
      `${apiBase ?? 'its API'}: ${reasonOf(error)}`,
      'check STRIPE_SECRET_KEY, STRIPE_API_BASE and the network',
    )
  }
}

export async function checkCloudflare({ cloudflare }: Pick<Config, 'cloudflare'>): Promise<Finding> {
  const { apiToken, apiBase = cloudflareApi } = cloudflare
  if (apiToken === undefined) return ok('Cloudflare', 'not connected (no API token is set)')
  try {
    const { isValid, statuses, zones } = await verifyToken({ ...cloudflare, apiToken, timeoutMs: patienceMs })
    if (!isValid)
      return fail('Cloudflare', `it refuses the token (${statuses.join(', ')})`, 'check CLOUDFLARE_API_TOKEN')
    if (zones) return ok('Cloudflare', `reached, the token is valid, ${zones.total} zones`)
    return warn('Cloudflare', 'the token is valid and may not read zones', 'give it the right Zone Read')
  } catch (error) {
    return fail('Cloudflare', `${apiBase}: ${reasonOf(error)}`, 'check CLOUDFLARE_API_BASE and the network')
  }
}
