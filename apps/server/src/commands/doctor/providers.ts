import type { Config } from '../../config.ts'
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
  const { apiToken, accountId, apiBase = 'https://api.cloudflare.com/client/v4' } = cloudflare
  if (apiToken === undefined) return ok('Cloudflare', 'not connected (CLOUDFLARE_API_TOKEN is not set)')
  // A token belongs to a person or to an account, and each is verified elsewhere.
  const paths = ['/user/tokens/verify', ...(accountId === undefined ? [] : [`/accounts/${accountId}/tokens/verify`])]
  try {
    const answers = await Promise.all(paths.map((path) => ask(`${apiBase}${path}`, apiToken)))
    if (answers.some((status) => status === 200)) return ok('Cloudflare', 'reached, the token is valid')
    return fail('Cloudflare', `it refuses the token (${answers.join(', ')})`, 'check CLOUDFLARE_API_TOKEN')
  } catch (error) {
    return fail('Cloudflare', `${apiBase}: ${reasonOf(error)}`, 'check CLOUDFLARE_API_BASE and the network')
  }
}

async function ask(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) })
  await response.body?.cancel()
  return response.status
}
