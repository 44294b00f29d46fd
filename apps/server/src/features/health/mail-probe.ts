import type { AppContext } from '../../context.ts'
import { verifyMailServer } from '../../integrations/smtp/client.ts'
import { counted } from '../../platform/counted.ts'
import { within } from '../../platform/within.ts'
import { type Measured, part } from './parts.ts'
import { countFailedMails } from './queries.ts'

const askEveryMs = 5 * 60_000
const answerWithinMs = 5000
/** One connection that fails may be a moment; two are a state. */
const failuresUntilError = 2
const dayMs = 86_400_000

/** Whether the mail server takes a sign-in, asked every five minutes while it does, and whether mails could not be sent. */
export function createMailProbe(ctx: AppContext): () => Promise<Measured> {
  let last: { url: string; from: string; answer: Measured } | undefined
  let askedAt = 0
  let failures = 0

  async function ask(url: string, from: string): Promise<Measured> {
    const started = performance.now()
    try {
      await within(answerWithinMs, verifyMailServer({ url, from, timeoutMs: answerWithinMs }))
      failures = 0
      const ms = performance.now() - started
      return { ...part('healthy', `The mail server answers in ${Math.round(ms)} ms`), responseMs: ms }
    } catch (error) {
      failures++
      const detail = error instanceof Error ? error.message : String(error)
      return part(failures < failuresUntilError ? 'warning' : 'error', detail)
    }
  }

  return async () => {
    const { smtpUrl: url, mailFrom: from } = ctx.config
    if (url === undefined || from === undefined) return part('unknown', 'No mail server is set')
    const isKnown = last?.url === url && last.from === from && failures === 0 && ctx.clock() - askedAt < askEveryMs
    if (!last || !isKnown) {
      askedAt = ctx.clock()
      last = { url, from, answer: await ask(url, from) }
    }
    const failed = await countFailedMails(ctx, new Date(ctx.clock() - dayMs))
    const { answer } = last
    if (answer.status !== 'healthy' || failed === 0) return answer
    return { ...answer, ...part('warning', `${counted(failed, 'mail')} of the last day could not be sent`) }
  }
}
