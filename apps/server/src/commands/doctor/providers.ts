import type { Config } from '../../config.ts'
import { verifyToken } from '../../integrations/cloudflare/verify.ts'
import { openStore } from '../../integrations/s3/client.ts'
import { StoreFailure } from '../../integrations/s3/gateway.ts'
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

export async function checkCloudflare({ mode, cloudflare }: Pick<Config, 'mode' | 'cloudflare'>): Promise<Finding> {
  const { apiToken, apiBase } = cloudflare
  if (apiToken === undefined)
    return ok('Cloudflare', mode === 'demo' ? 'the sandbox' : 'not connected (no API token is set)')
  try {
    const verified = await verifyToken({ ...cloudflare, apiToken, timeoutMs: patienceMs })
    if (!verified.isValid) return fail('Cloudflare', verified.reason, 'check CLOUDFLARE_API_TOKEN')
    const { account, zones, lacking } = verified
    const counted = zones === null ? 'zones not counted' : `${zones} ${zones === 1 ? 'zone' : 'zones'}`
    const reached = `reached, account ${account ?? 'not told'}, ${counted}`
    if (lacking.length === 0) return ok('Cloudflare', reached)
    return warn('Cloudflare', `${reached}; the token lacks ${lacking.join(', ')}`, 'give it these rights at Cloudflare')
  } catch (error) {
    return fail(
      'Cloudflare',
      `${apiBase ?? 'its API'}: ${reasonOf(error)}`,
      'check CLOUDFLARE_API_TOKEN, CLOUDFLARE_API_BASE and the network',
    )
  }
}

export async function checkStore({ s3 }: Pick<Config, 's3'>): Promise<Finding> {
  if (!s3) return ok('Backup store', 'none; backups stay in the data folder')
  try {
    const store = await openStore(s3)
    await store.size('doctor')
    return ok('Backup store', `reached, ${store.name}`)
  } catch (error) {
    const reason = error instanceof StoreFailure ? error.message : reasonOf(error)
    return fail('Backup store', reason, 'check S3_ENDPOINT, S3_BUCKET, its access key and the network')
  }
}
