import { type AppContext, inTransaction, type RequestContext } from '../../context.ts'
import { utcText } from '../../platform/day-text.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { safeRequest } from '../../platform/probe/safe-request.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { queueMail } from '../mail/index.ts'
import { notify } from '../notifications/index.ts'
import { findSentOn, saveSent } from './queries/anchors.ts'
import { findHead } from './queries/chain.ts'
import { openRing, type SealedHead } from './seal.ts'

type Config = AppContext['config']

/** Where a head can go. Each rejects when it could not take it. */
type Target = {
  name: string
  isSet(config: Config): boolean
  send(ctx: RequestContext, head: SealedHead): Promise<void>
}

const sentAnchor = 'sent'

const mailTarget: Target = {
  name: 'mail',
  isSet: ({ settings }) => settings.headRecipients.length > 0,
  async send(ctx, head) {
    const { companyName, headRecipients } = ctx.config.settings
    const place = head.seq.toLocaleString('en-US')
    const text = [
      `On ${utcText(head.at)}, the newest entry of the audit log of ${companyName} was number ${place}.`,
      `Keep this email. If entry ${place} ever has a different hash, somebody changed the log:`,
      head.hash,
      JSON.stringify(head),
    ]
    await inTransaction(ctx, async (tx) => {
      for (const address of headRecipients)
        await queueMail(tx, {
          kind: 'audit.head',
          to: { address, name: null },
          subject: `${companyName}: audit log at entry ${place}`,
          text: `${text.join('\n\n')}\n`,
        })
    })
  },
}

const webhookTimeoutMs = 10_000

const webhookTarget: Target = {
  name: 'webhook',
  isSet: ({ settings }) => settings.headWebhook !== null,
  async send({ config, demoHosts }, head) {
    const answer = await safeRequest(
      {
        url: config.settings.headWebhook ?? '',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'audit.head', company: config.settings.companyName, ...head }),
        timeoutMs: webhookTimeoutMs,
        requireTrust: true,
      },
      { demoHosts },
    )
    if (answer.status >= 300) throw new Error(`It answered ${answer.status}`)
  },
}

const targets: readonly Target[] = [mailTarget, webhookTarget]

export const isHeadSentSomewhere = (config: Config): boolean => targets.some(({ isSet }) => isSet(config))

/** Sends the newest head to every target that has none of today. */
export async function sendHeads(ctx: RequestContext, run: Pick<JobRun, 'isLastAttempt'>): Promise<void> {
  const day = new Date(ctx.clock()).toISOString().slice(0, 10)
  const sent = new Set((await findSentOn(ctx, day)).filter(({ error }) => error === null).map(({ target }) => target))
  const due = targets.filter(({ name, isSet }) => isSet(ctx.config) && !sent.has(name))
  if (due.length === 0) return
  const head = await sealNow(ctx)
  if (!head) return
  const failures: unknown[] = []
  for (const target of due) await sendTo(ctx, target, head, day, run).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

async function sealNow(ctx: RequestContext): Promise<SealedHead | null> {
  const { seq, hash } = await findHead(ctx)
  if (seq === 0) return null
  const now = new Date(ctx.clock())
  const { seal } = await openRing(ctx, await ctx.instance(createSecretBox), now)
  return seal?.({ at: now.toISOString(), seq, hash }, sentAnchor) ?? null
}

async function sendTo(
  ctx: RequestContext,
  { name, send }: Target,
  head: SealedHead,
  day: string,
  { isLastAttempt }: Pick<JobRun, 'isLastAttempt'>,
): Promise<void> {
  const outcome = { day, target: name, seq: head.seq, at: new Date(ctx.clock()) }
  try {
    await send(ctx, head)
    await saveSent(ctx, { ...outcome, error: null })
  } catch (failure) {
    const error = failure instanceof Error ? failure.message : String(failure)
    await inTransaction(ctx, async (tx) => {
      await saveSent(tx, { ...outcome, error })
      if (!isLastAttempt) return
      await notify(tx, {
        dedupeKey: `audit.head_unsent:${name}:${day}`,
        type: 'audit.head_unsent',
        severity: 'warning',
        permission: 'admin.system',
        title: `Today's audit head could not be sent by ${name === 'mail' ? 'email' : name}`,
        body: `${error}. Check the address under System Config; the console tries again tomorrow.`,
        link: '/admin/config',
      })
    })
    throw failure
  }
}
