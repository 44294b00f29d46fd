import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { deviceOf } from '../../../platform/device.ts'
import { notFound } from '../../../platform/errors.ts'
import type { PageQuery } from '../../../platform/keyset.ts'
import { forgetTries } from '../../auth/index.ts'
import { findAttempts, findLock, findLocks } from '../queries/sign-ins.ts'

const dayMs = 86_400_000
const succeededOf = { all: undefined, succeeded: true, failed: false } as const

export async function listAttempts(
  ctx: RequestContext,
  { outcome, ...page }: PageQuery & { outcome?: keyof typeof succeededOf | undefined },
) {
  const { attempts, has_more } = await findAttempts(ctx.pool, succeededOf[outcome ?? 'all'], page)
  return {
    attempts: attempts.map(({ user_agent, ...attempt }) => ({ ...attempt, device: deviceOf(user_agent) })),
    has_more,
  }
}

/** An address, what was tried from it, and for whom a proxy says it was: see `subjects.ts` of auth. */
function lockText(subject: string, kind: 'address' | 'account', email: string | null): string {
  const account = email ?? 'An account that does not exist'
  if (kind === 'account') return account
  const [, address = subject, client, tried] = /^(\S+)(?: for (\S+))?(?: (at .+|as proxy))?$/.exec(subject) ?? []
  const where = client === undefined ? address : `${client} (says ${address})`
  if (tried === 'as proxy') return `${address}, all that it forwards`
  if (tried === 'at all') return `${where}, all sign-ins`
  return tried === undefined ? where : `${account} from ${where}`
}

export async function listLockOuts(ctx: RequestContext) {
  const now = ctx.clock()
  const locks = await findLocks(ctx, new Date(now - dayMs))
  return {
    lockouts: locks.map(({ subject, kind, email, failures, last_failure_at, locked_until }) => ({
      id: subject,
      kind,
      subject: lockText(subject, kind, email),
      failures,
      last_failure_at: last_failure_at.toISOString(),
      locked_until: locked_until && locked_until.getTime() > now ? locked_until.toISOString() : null,
    })),
  }
}

export function releaseLockOut(ctx: RequestContext, subject: string): Promise<{ success: true }> {
  return inTransaction(ctx, async (tx) => {
    const lock = await findLock(tx, subject)
    if (!lock) throw notFound(`Lock-out ${subject}`)
    await forgetTries(tx, subject)
    const { kind, user_id, failures, locked_until } = lock
    await recordAudit(tx, {
      action: `${kind}.release`,
      resource: kind,
      id: kind === 'account' ? (user_id ?? subject) : subject.split(' ')[0]!,
      before: { failures, locked_until },
    })
    return { success: true }
  })
}
