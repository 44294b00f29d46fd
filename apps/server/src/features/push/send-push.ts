import type { AlertSeverity } from '@agency/contract/monitoring'
import type { AppContext } from '../../context.ts'
import { safeRequest } from '../../platform/probe/safe-request.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { ensureKeys, loadWebPush } from './keys.ts'
import { deleteSubscription, noteSent, type SubscriptionRow } from './queries.ts'

/** All that a browser gets: what its lock screen may show. */
export type PushPayload = { title: string; severity: AlertSeverity; link: string | null; tag: string }
export type Pushed = { state: 'sent' } | { state: 'gone' } | { state: 'failed'; error: string; isFinal: boolean }

const answerWithinMs = 10_000
const dayS = 86_400
const longestTitle = 200

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/** Push services want to know whom to write to when something is wrong: https://www.rfc-editor.org/rfc/rfc8292#section-2.1 */
function subjectOf({ config: { publicUrl, mailFrom } }: AppContext): string {
  const address = mailFrom?.replace(/^.*</, '').replace(/>$/, '').trim()
  if (address) return `mailto:${address}`
  return publicUrl?.startsWith('https:') ? publicUrl : 'mailto:administrator@console.invalid'
}

/** Encrypts for one browser and hands it to its push service. A subscription that is gone is deleted. */
export async function pushTo(ctx: AppContext, row: SubscriptionRow, payload: PushPayload): Promise<Pushed> {
  const outcome = await tryPush(ctx, row, payload).catch(
    ({ message }: Error): Pushed => ({ state: 'failed', error: message, isFinal: false }),
  )
  if (outcome.state === 'gone') await deleteSubscription(ctx, row.id)
  else await noteSent(ctx, row.id, new Date(ctx.clock()), outcome.state === 'failed' ? outcome.error : null)
  return outcome
}

async function tryPush(ctx: AppContext, row: SubscriptionRow, payload: PushPayload): Promise<Pushed> {
  const box = await ctx.instance(createSecretBox)
  const opened = box.open(row.sealed)
  if (opened === null)
    return { state: 'failed', error: 'Unreadable: encrypted with another SECRETS_KEY', isFinal: true }
  const [{ generateRequestDetails }, keys] = await Promise.all([loadWebPush(), ensureKeys(ctx)])
  const { title, ...rest } = payload
  const { endpoint, headers, body } = generateRequestDetails(
    JSON.parse(opened) as Subscription,
    JSON.stringify({ title: title.slice(0, longestTitle), ...rest }),
    {
      vapidDetails: { subject: subjectOf(ctx), ...keys },
      ...{ TTL: dayS, contentEncoding: 'aes128gcm' },
      urgency: payload.severity === 'critical' || payload.severity === 'error' ? 'high' : 'normal',
    },
  )
  const answer = await safeRequest(
    {
      ...{ url: endpoint, method: 'POST', body, timeoutMs: answerWithinMs, requireTrust: true, maxRedirects: 0 },
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
    },
    { demoHosts: ctx.demoHosts, anyPort: true },
  )
  return judge(answer.status)
}

/** https://www.rfc-editor.org/rfc/rfc8030#section-7.3 */
function judge(status: number): Pushed {
  if (status >= 200 && status < 300) return { state: 'sent' }
  if (status === 404 || status === 410) return { state: 'gone' }
  const isFinal = status >= 400 && status < 500 && status !== 429 && status !== 408
  return { state: 'failed', error: `The push service answered with status ${status}`, isFinal }
}
