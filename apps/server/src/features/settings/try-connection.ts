import { randomUUID } from 'node:crypto'
import type { ConnectionTest } from '@agency/contract/settings'
import type { Config } from '../../config.ts'
import { verifyToken } from '../../integrations/cloudflare/verify.ts'
import { describeMailServer, SmtpError, sendMail, verifyMailServer } from '../../integrations/smtp/client.ts'
import { findAccess } from '../../integrations/stripe/access.ts'
import { createStripeGateway } from '../../integrations/stripe/client.ts'
import type { Logger } from '../../platform/logger.ts'

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
    message: isWhole ? `Connected as ${account}${more}` : `Reachable but lacking ${lacking.join(', ')}`,
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

export async function tryStripe({ stripe: { secretKey, apiBase } }: Config): Promise<Tried> {
  if (secretKey === undefined) return notConfigured
  try {
    const gateway = createStripeGateway({ secretKey, apiBase, timeoutMs })
    const { account, lacking } = await findAccess(gateway)
    const name = account === null ? 'an account that the key may not read' : `${account.name ?? account.id}`
    return connected(name, lacking, `, ${gateway.livemode ? 'live' : 'test'} mode`)
  } catch (error) {
    return unreachable(reasonOf(error))
  }
}

export async function tryCloudflare({ cloudflare }: Config): Promise<Tried> {
  const { apiToken } = cloudflare
  if (apiToken === undefined) return notConfigured
  try {
    const verified = await verifyToken({ ...cloudflare, apiToken, timeoutMs })
    if (!verified.isValid) return unreachable(verified.reason)
    const { account, zones, lacking } = verified
    const counted = zones === null ? '' : `, ${zones} ${zones === 1 ? 'zone' : 'zones'}`
    return connected(account ?? 'the holder of the token', lacking, counted)
  } catch (error) {
    return unreachable(reasonOf(error))
  }
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
      subject: `Test mail of ${settings.companyName}`,
      text: `This is a test of the mail server of ${settings.companyName}. Nothing has to be done.\n`,
    })
    return connected(account, [], `; a mail was sent to ${sendTo}`)
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error
    return connected(account, [`mail to ${sendTo}: ${error.message}`])
  }
}
