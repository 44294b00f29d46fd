import type { Config } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import { findRefused } from '../../features/mirror/index.ts'
import { findUntrustedProxy, plainTransport } from '../../features/security/index.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

async function findSetting({ kysely }: Database, key: string): Promise<Record<string, unknown> | undefined> {
  const row = await kysely.selectFrom('instance_settings').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value as Record<string, unknown> | undefined
}

export async function checkAdminKey(database: Database, { adminKey }: Config): Promise<Finding> {
  const stored = await findSetting(database, 'admin_key')
  if (stored?.['enabled'] === false)
    return warn('Admin key', 'switched off under Security', 'npm run admin-key makes a new one')
  if (adminKey !== undefined) return ok('Admin key', 'from ADMIN_KEY')
  return stored ? ok('Admin key', `set at ${stored['set_at']}`) : ok('Admin key', 'made and shown by the first start')
}

export async function checkWebhook(database: Database, { mode, stripe, publicUrl }: Config): Promise<Finding> {
  const refused = await findRefused({ db: database.kysely, clock: Date.now })
  if (refused) return (refused.isError ? fail : warn)('Webhooks', refused.finding, refused.advice)
  if (stripe.webhookSecret !== undefined) return ok('Webhooks', 'signed with STRIPE_WEBHOOK_SECRET')
  const stored = await findSetting(database, 'mirror.webhook')
  if (stored) return ok('Webhooks', `delivered to ${stored['url']}`)
  if (mode === 'demo') return ok('Webhooks', 'set up by the first start')
  if (stripe.secretKey === undefined) return ok('Webhooks', 'none without Stripe')
  const todo =
    publicUrl === undefined
      ? 'set PUBLIC_URL to the address that Stripe reaches, or STRIPE_WEBHOOK_SECRET to that of an endpoint of yours'
      : `Stripe must be able to reach ${publicUrl}; the next start tries again`
  return warn('Webhooks', 'Stripe delivers no events here; the console fetches them every ten minutes', todo)
}

export async function checkProxy({ kysely: db }: Database, config: Config): Promise<Finding> {
  const untrusted = await findUntrustedProxy({ db, config, clock: Date.now })
  if (untrusted) return warn('Proxy', untrusted.finding, untrusted.advice)
  const { trustProxy } = config
  if (trustProxy === false) return ok('Proxy', 'none is trusted, none was seen')
  return ok('Proxy', typeof trustProxy === 'number' ? `${trustProxy} in front` : `trusted: ${trustProxy.join(', ')}`)
}

export function checkTransport(config: Config): Finding {
  const plain = plainTransport(config)
  if (plain) return warn('Transport', plain.finding, plain.advice)
  return ok('Transport', config.publicUrl?.startsWith('https:') ? config.publicUrl : 'from this machine only')
}
