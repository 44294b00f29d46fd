import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionTest } from '@agency/contract/settings'
import type { Config } from '../../config.ts'
import { CloudflareError } from '../../integrations/cloudflare/errors.ts'
import { verifyToken } from '../../integrations/cloudflare/verify.ts'
import { describeMailServer, SmtpError, sendMail, verifyMailServer } from '../../integrations/smtp/client.ts'
import { findAccess } from '../../integrations/stripe/access.ts'
import { createStripeGateway } from '../../integrations/stripe/client.ts'
import { ProviderError } from '../../integrations/stripe/errors.ts'
import type { Logger } from '../../platform/logger.ts'
import { isPublicAddress } from '../../platform/probe/public-address.ts'
import { within } from '../../platform/within.ts'

type Tried = Pick<ConnectionTest, 'state' | 'message' | 'account' | 'lacking'>

const timeoutMs = 5000

const notConfigured: Tried = { state: 'not_configured', message: 'Not configured', account: null, lacking: [] }

const unreachable = (reason: string): Tried => ({
  state: 'unreachable',
  message: `Unreachable: ${reason}`,
  account: null,
  lacking: [],
})

function connected(account: string, lacking: string[], more = ''): Tried {
  const isWhole = lacking.length === 0
  return {
    state: isWhole ? 'connected' : 'lacking',
    message: isWhole ? `Connected as ${account}${more}` : `Connected, but missing: ${lacking.join(', ')}`,
    account,
    lacking,
  }
}

/** Node hides the reason of a failed request inside of it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} seconds`
  return error.cause instanceof Error && error.message === 'fetch failed' ? error.cause.message : error.message
}

async function isOwnNetwork(address: string): Promise<boolean> {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [{ address: host }] : await lookup(host, { all: true }).catch(() => [])
  return addresses.some(({ address }) => !isPublicAddress(address))
}

type StandIn = { provider: string; apiBase: string | undefined; isAnswer: (error: unknown) => boolean; log: Logger }

/**
 * Whoever may set an address must not learn from it what listens in the own network: whatever happens there, but for an
 * answer in the provider's own form, is one failure and takes the whole time.
 */
async function tryAt({ provider, apiBase, isAnswer, log }: StandIn, attempt: () => Promise<Tried>): Promise<Tried> {
  const isOwn = apiBase !== undefined && (await isOwnNetwork(apiBase))
  const whole = isOwn ? sleep(timeoutMs) : undefined
  try {
    return await (isOwn ? within(timeoutMs, attempt()) : attempt())
  } catch (error) {
    if (!isOwn || isAnswer(error)) return unreachable(reasonOf(error))
    log.warn({ err: error }, 'the address that was tried does not answer as its provider does')
    await whole
    return unreachable(`no ${provider} server at this address`)
  }
}

export async function tryStripe({ stripe: { secretKey, apiBase } }: Config, log: Logger): Promise<Tried> {
  if (secretKey === undefined) return notConfigured
  const isAnswer = (error: unknown) => error instanceof ProviderError && error.providerStatus !== undefined
  return tryAt({ provider: 'Stripe', apiBase, isAnswer, log }, async () => {
    const gateway = createStripeGateway({ secretKey, apiBase, timeoutMs })
    const { account, lacking } = await findAccess(gateway)
    const name = account === null ? 'an account that the key may not read' : `${account.name ?? account.id}`
    return connected(name, lacking, `, ${gateway.livemode ? 'live' : 'test'} mode`)
  })
}

export async function tryCloudflare({ cloudflare }: Config, log: Logger): Promise<Tried> {
  const { apiToken, apiBase } = cloudflare
  if (apiToken === undefined) return notConfigured
  const isAnswer = (error: unknown) => error instanceof CloudflareError && error.providerCode !== undefined
  return tryAt({ provider: 'Cloudflare', apiBase, isAnswer, log }, async () => {
    const verified = await verifyToken({ ...cloudflare, apiToken, timeoutMs })
    if (!verified.isValid) return unreachable(verified.reason)
    const { account, zones, lacking } = verified
    const counted = zones === null ? '' : `, ${zones} ${zones === 1 ? 'zone' : 'zones'}`
    return connected(account ?? 'the holder of the token', lacking, counted)
  })
}

export async function tryMailServer(
  { smtpUrl, mailFrom, settings }: Config,
  sendTo: string | null,
  log: Logger,
  withinMs = timeoutMs,
): Promise<Tried> {
  if (smtpUrl === undefined || mailFrom === undefined) return notConfigured
  const server = { url: smtpUrl, from: mailFrom, timeoutMs: withinMs, isAnswerShown: true }
  const account = describeMailServer(smtpUrl)
  try {
    await verifyMailServer(server)
  } catch (error) {
    log.warn({ err: error }, 'the mail server that was tried cannot be used')
    return unreachable(reasonOf(error))
  }
  if (sendTo === null) return connected(account, [])
  try {
    await sendMail(server, {
      id: randomUUID(),
      to: { address: sendTo, name: null },
      subject: `Test email from ${settings.companyName}`,
      text: `The mail server of ${settings.companyName} works: this is its test email. You do not need to do anything.\n`,
    })
    return connected(account, [], `; test email sent to ${sendTo}`)
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error
    return connected(account, [`mail to ${sendTo}: ${error.message}`])
  }
}
