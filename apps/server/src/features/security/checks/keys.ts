import type { AppContext } from '../../../context.ts'
import { counted } from '../../../platform/counted.ts'
import { findRefused } from '../../mirror/index.ts'
import { findLiveApiKeys, findWebhookSince } from '../queries/facts.ts'
import { type Check, dayMs, type Judged, namesText, ok } from './check.ts'

const keys = { path: '/admin/api-keys', text: 'Open API Keys' }
const config = { path: '/admin/config', text: 'Open Config' }

type LiveKey = Awaited<ReturnType<typeof findLiveApiKeys>>[number]

const liveKeys = (ctx: AppContext): Promise<LiveKey[]> => findLiveApiKeys(ctx, new Date(ctx.clock()))
const namesOf = (found: readonly LiveKey[]): string => namesText(found.map(({ name }) => name))

async function judgeUnused(ctx: AppContext): Promise<Judged> {
  const all = await liveKeys(ctx)
  const before = ctx.clock() - 90 * dayMs
  const unused = all.filter(({ last_used_at, created_at }) => (last_used_at ?? created_at).getTime() < before)
  if (unused.length === 0)
    return ok(
      all.length === 0
        ? 'There are no API keys'
        : `All ${counted(all.length, 'API key')} were used or made in the last 90 days`,
    )
  const finding = `Not used for 90 days: ${namesOf(unused)}`
  return { state: 'warning', finding, advice: 'Revoke keys that nobody uses.', link: keys }
}

async function judgeEnding(ctx: AppContext): Promise<Judged> {
  const ending = (await liveKeys(ctx)).filter(
    ({ expires_at }) => expires_at !== null && expires_at.getTime() < ctx.clock() + 30 * dayMs,
  )
  if (ending.length === 0) return ok('No API key expires in the next 30 days')
  const finding = `Expiring within 30 days: ${namesOf(ending)}`
  return { state: 'advice', finding, advice: 'Generate new keys and replace these.', link: keys }
}

async function judgeEndless(ctx: AppContext): Promise<Judged> {
  const endless = (await liveKeys(ctx)).filter(({ expires_at }) => expires_at === null)
  if (endless.length === 0) return ok('Every API key expires')
  const finding = `Without expiry: ${namesOf(endless)}`
  return {
    state: 'advice',
    finding,
    advice: 'Set an expiration date, so that forgotten keys stop working.',
    link: keys,
  }
}

function judgeStripeKey({ config: { stripe, mode } }: AppContext): Judged {
  const key = stripe.secretKey
  if (key === undefined) return ok(mode === 'demo' ? 'Demo mode: no key is needed' : 'Stripe is not connected')
  const kind = key.startsWith('rk_') ? 'restricted' : 'full'
  const side = key.includes('_test_') ? 'test' : 'live'
  if (kind === 'restricted' || side === 'test') return ok(`Uses a ${kind} key in ${side} mode`)
  return {
    state: 'warning',
    finding: 'The live secret key can do everything in the Stripe account',
    advice: 'Create a restricted key in Stripe and set it here.',
    link: config,
  }
}

async function judgeWebhook(ctx: AppContext): Promise<Judged> {
  const { stripe, mode } = ctx.config
  if (mode !== 'demo' && stripe.secretKey === undefined) return ok('Stripe is not connected')
  const refused = await findRefused(ctx)
  if (refused) {
    const { isError, finding, advice } = refused
    return { state: isError ? 'error' : 'warning', finding, advice, link: config }
  }
  if (stripe.webhookSecret !== undefined) return ok('Deliveries are checked with the signing secret that was set')
  const since = await findWebhookSince(ctx)
  if (since === null)
    return {
      state: 'advice',
      finding: 'Stripe delivers no events here; the console fetches them',
      advice: 'Set "Address of this console" first. Then the console creates the webhook endpoint.',
      link: config,
    }
  const days = Math.floor((ctx.clock() - since.getTime()) / dayMs)
  const finding = `The signing secret of the webhook is ${days === 0 ? 'less than a day' : counted(days, 'day')} old`
  if (days < 365) return ok(finding)
  const advice = 'Delete the endpoint in Stripe. The console creates a new one with a new secret.'
  return { state: 'advice', finding, advice }
}

function judgeCloudflare({ config: { cloudflare, mode } }: AppContext): Judged {
  if (cloudflare.apiToken !== undefined) return ok('An API token is set')
  return ok(mode === 'demo' ? 'Demo mode: no token is needed' : 'Cloudflare is not connected')
}

export const keyChecks: readonly Check[] = [
  { id: 'api_keys_unused', title: 'Unused API keys', run: judgeUnused },
  { id: 'api_keys_ending', title: 'API keys expiring soon', run: judgeEnding },
  { id: 'api_keys_endless', title: 'API keys without expiry', run: judgeEndless },
  { id: 'stripe_key', title: 'Stripe key', run: judgeStripeKey },
  { id: 'webhook', title: 'Stripe webhook', run: judgeWebhook },
  { id: 'cloudflare', title: 'Cloudflare token', run: judgeCloudflare },
]
