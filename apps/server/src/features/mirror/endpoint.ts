import { type AppContext, inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { ProviderError } from '../../integrations/stripe/errors.ts'
import { mirroredEventTypes } from '../../integrations/stripe/event-types.ts'
import type { StripeGateway } from '../../integrations/stripe/gateway.ts'
import { recordAudit } from '../../platform/audit.ts'
import { createSecretBox, type SecretBox } from '../../platform/secrets.ts'
import { connectedStripe } from './connection.ts'
import { findWebhookSetting, upsertWebhookSetting, type WebhookSetting } from './queries/settings.ts'

export const webhookPath = '/webhooks/stripe'
/** Deliveries of the old endpoint may still be on their way. */
const rollMs = 24 * 3_600_000

const givenSecrets = ({ config }: Pick<AppContext, 'config'>): string[] =>
  (config.stripe.webhookSecret ?? '')
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')

/** The secrets that deliveries may be signed with now: those of the environment, else those of our own endpoint. */
export async function findWebhookSecrets(ctx: AppContext): Promise<string[]> {
  const given = givenSecrets(ctx)
  if (given.length > 0) return given
  const setting = await findWebhookSetting(ctx.db)
  if (!setting) return []
  const box = await ctx.instance(createSecretBox)
  const good = setting.secrets.filter(({ goodUntil }) => goodUntil === null || Date.parse(goodUntil) > ctx.clock())
  return good.map(({ sealed }) => box.open(sealed)).filter((secret) => secret !== null)
}

export async function isWebhookConfigured(ctx: Pick<AppContext, 'config' | 'db'>): Promise<boolean> {
  return givenSecrets(ctx).length > 0 || (await findWebhookSetting(ctx.db)) !== null
}

/**
 * Lets the provider deliver events to this console. With a secret in the environment the endpoint is somebody else's
 * care. An address that the provider refuses leaves the console asking for events by itself.
 */
export async function ensureWebhookEndpoint(ctx: RequestContext, address: string): Promise<void> {
  if (givenSecrets(ctx).length > 0) return
  const stripe = await connectedStripe(ctx, 'job')
  const url = `${address}${webhookPath}`
  const setting = await findWebhookSetting(ctx.db)
  const endpoints = await stripe.listWebhookEndpoints()
  const box = await ctx.instance(createSecretBox)
  const own = endpoints.find((endpoint) => endpoint.id === setting?.endpointId)
  const isGood = own?.enabled && own.url === url && isCurrent(setting, box)
  if (isGood) return
  // Written down first: one whose secret is lost with this process is deleted by the next try.
  await inTransaction(ctx, (tx) => audit(tx, null, { state: 'requested', url }))
  try {
    const { endpoint, secret } = await stripe.createWebhookEndpoint(url)
    await inTransaction(ctx, async (tx) => {
      await keepSecret(tx, { id: endpoint.id, url, sealed: box.seal(secret) }, setting)
      await audit(tx, endpoint.id, { state: 'done', url })
    })
    ctx.log.info({ endpoint: endpoint.id, url }, 'the provider delivers events here')
  } catch (error) {
    const isKnown = error instanceof ProviderError
    const reason = isKnown ? error.message : 'It was made, or not, and not written down. The next try makes another.'
    await inTransaction(ctx, (tx) => audit(tx, null, { state: 'failed', url, reason }))
    if (!isKnown || error.kind !== 'invalid') throw error
    ctx.log.warn({ url, reason: error.message }, 'the provider does not deliver to this address; events are asked for')
    return
  }
  await deleteOthers(
    stripe,
    endpoints.filter((endpoint) => endpoint.url === url || endpoint.id === setting?.endpointId).map(({ id }) => id),
  )
}

const audit = (tx: TransactionContext, id: string | null, after: { state: string; url: string; reason?: string }) =>
  recordAudit(tx, {
    action: 'webhook_endpoint.create',
    resource: 'webhook_endpoint',
    id,
    outcome: after.state === 'failed' ? 'failed' : 'done',
    after,
  })

function isCurrent(setting: WebhookSetting | null, box: SecretBox): boolean {
  const newest = setting?.secrets[0]
  if (!setting || !newest || box.open(newest.sealed) === null) return false
  return setting.events.join() === mirroredEventTypes.join()
}

async function keepSecret(
  ctx: TransactionContext,
  made: { id: string; url: string; sealed: string },
  before: WebhookSetting | null,
): Promise<void> {
  const now = ctx.clock()
  const until = new Date(now + rollMs).toISOString()
  const older = (before?.secrets ?? [])
    .filter(({ goodUntil }) => goodUntil === null || Date.parse(goodUntil) > now)
    .map(({ sealed, goodUntil }) => ({ sealed, goodUntil: goodUntil ?? until }))
  await upsertWebhookSetting(
    ctx.db,
    {
      endpointId: made.id,
      url: made.url,
      secrets: [{ sealed: made.sealed, goodUntil: null }, ...older],
      events: [...mirroredEventTypes],
    },
    new Date(now),
  )
}

/** Endpoints of the same address whose secret is lost would only deliver what has to be refused. */
async function deleteOthers(stripe: StripeGateway, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    try {
      await stripe.deleteWebhookEndpoint(id)
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'not_found') throw error
    }
  }
}
