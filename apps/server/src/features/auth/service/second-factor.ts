import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { lockPerson, type Person, replaceRecoveryCodes, saveTotp } from '../queries/people.ts'
import { revokeSessionsOf } from '../queries/sessions.ts'
import { makeRecoveryCodes, newTotpSecret, recoveryCodeHash, stepOfCode, totpUri } from '../totp.ts'
import { beginTry, fail, succeed } from '../tries.ts'
import { advanceSession, type SignedIn } from './open-session.ts'
import { describeAt, getSelf, provePassword } from './passwords.ts'
import { openSecret, tryOfCode, withCode, wrongCode } from './second-factor-code.ts'
import { stageAfterSecondFactor } from './sign-in-with-email.ts'

/** Completes a sign-in with a code of the app or, once, with a recovery code. */
export async function giveSecondFactor(ctx: RequestContext, code: string): Promise<SignedIn> {
  const self = await getSelf(ctx)
  if (ctx.actor.stage !== 'second_factor') throw new AppError('conflict', 'This sign-in needs no code')
  const stage = stageAfterSecondFactor(self)
  const sessionKey = await withCode(ctx, self, { code }, async (tx, used) => {
    await recordAudit(tx, { action: 'session.second_factor', resource: 'session', id: self.sessionId, after: { used } })
    return advanceSession(tx, self.sessionId, { stage, secondFactorAt: new Date(tx.clock()) })
  })
  ctx.changes.tell('sessions')
  return describeAt(ctx, self, stage, sessionKey)
}

/** A new secret, which does not count before a code of it was given. */
export async function beginEnrolment(ctx: RequestContext, password: string | undefined) {
  const self = await getSelf(ctx)
  await refuseEnrolment(ctx, self, password)
  const secret = newTotpSecret()
  const box = await ctx.instance(createSecretBox)
  await inTransaction(ctx, async (tx) => {
    const person = await lockPerson(tx, self.id)
    if (!person || person.totp_enabled_at) throw alreadyOn()
    await saveTotp(tx, self.id, { secret: box.seal(secret), enabledAt: null, lastStep: null })
    await recordAudit(tx, { action: 'second_factor.begin', resource: 'user', id: self.id })
  })
  return { secret, uri: totpUri(secret, self.email) }
}

const alreadyOn = () => new AppError('conflict', 'Two-step verification is already on. Turn it off first.')

/** During a sign-in the password was just given; later it is asked for again, so that a borrowed session cannot do it. */
async function refuseEnrolment(ctx: RequestContext, self: Person, password: string | undefined): Promise<void> {
  if (self.totp_enabled_at) throw alreadyOn()
  if (ctx.actor.stage === 'enrolment') return
  if (ctx.actor.stage !== 'open') throw new AppError('sign_in_incomplete', 'Complete the sign-in first')
  if (password === undefined)
    throw new AppError('invalid_request', 'Enter your current password', { parameter: 'current_password' })
  await provePassword(ctx, self, password)
}

/** Switches the second factor on; the recovery codes are told this once. */
export async function confirmEnrolment(ctx: RequestContext, code: string) {
  const self = await getSelf(ctx)
  if (ctx.actor.stage !== 'enrolment' && ctx.actor.stage !== 'open')
    throw new AppError('sign_in_incomplete', 'Complete the sign-in first')
  const tried = await beginTry(ctx, tryOfCode(self))
  const codes = makeRecoveryCodes()
  const sessionKey = await inTransaction(ctx, async (tx) => {
    const person = await lockPerson(tx, self.id)
    if (!person || person.totp_enabled_at) throw alreadyOn()
    const secret = await openSecret(tx, person.totp_secret)
    if (secret === null) throw new AppError('conflict', 'Start the setup first')
    const step = stepOfCode(secret, code, tx.clock())
    if (step === null) return null
    await saveTotp(tx, self.id, { secret: person.totp_secret, enabledAt: new Date(tx.clock()), lastStep: step })
    await replaceRecoveryCodes(tx, self.id, codes.map(recoveryCodeHash))
    const ended = await revokeSessionsOf(tx, self.id, 'second_factor_on', self.sessionId)
    await succeed(tx, tried)
    await recordAudit(tx, {
      action: 'second_factor.enable',
      resource: 'user',
      id: self.id,
      after: { recovery_codes: codes.length, ended_sessions: ended.length },
    })
    return advanceSession(tx, self.sessionId, { stage: 'open', secondFactorAt: new Date(tx.clock()) })
  })
  if (sessionKey === null) {
    await fail(ctx, tried, 'wrong code')
    throw wrongCode()
  }
  ctx.changes.tell('sessions')
  return { recovery_codes: codes, session_key: sessionKey }
}

type Proofs = { password: string; code: string }

/**
 * Asks for the password and for the factor itself, so that neither a borrowed session nor a stolen password takes the factor
 * away. Whoever else is signed in has to come in anew.
 */
async function withBothProofs(
  ctx: RequestContext,
  self: Awaited<ReturnType<typeof getSelf>>,
  { password, code }: Proofs,
  change: (tx: TransactionContext, endedSessions: number) => Promise<void>,
): Promise<number> {
  await provePassword(ctx, self, password)
  const ended = await withCode(ctx, self, { code }, async (tx) => {
    const sessions = await revokeSessionsOf(tx, self.id, 'second_factor_changed', self.sessionId)
    await change(tx, sessions.length)
    return sessions.length
  })
  ctx.changes.tell('sessions')
  return ended
}

/** Ten new recovery codes; the old ones stop working. */
export async function renewRecoveryCodes(ctx: RequestContext, proofs: Proofs) {
  const self = await getSelf(ctx)
  if (!self.totp_enabled_at) throw new AppError('conflict', 'Two-step verification is off')
  const codes = makeRecoveryCodes()
  const ended = await withBothProofs(ctx, self, proofs, async (tx, ended_sessions) => {
    await replaceRecoveryCodes(tx, self.id, codes.map(recoveryCodeHash))
    await recordAudit(tx, {
      action: 'second_factor.renew_codes',
      resource: 'user',
      id: self.id,
      after: { ended_sessions },
    })
  })
  return { recovery_codes: codes, ended_sessions: ended }
}

export async function removeSecondFactor(ctx: RequestContext, proofs: Proofs) {
  const self = await getSelf(ctx)
  if (!self.totp_enabled_at) throw new AppError('conflict', 'Two-step verification is already off')
  if (self.requires_second_factor) throw new AppError('conflict', 'Your role requires two-step verification')
  const ended = await withBothProofs(ctx, self, proofs, async (tx, ended_sessions) => {
    await saveTotp(tx, self.id, { secret: null, enabledAt: null, lastStep: null })
    await replaceRecoveryCodes(tx, self.id, [])
    await recordAudit(tx, { action: 'second_factor.remove', resource: 'user', id: self.id, after: { ended_sessions } })
  })
  return { success: true as const, ended_sessions: ended }
}
