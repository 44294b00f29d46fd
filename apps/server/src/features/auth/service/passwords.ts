import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { createPasswordCheck } from '../password-check.ts'
import { refuseCommonPassword } from '../password-rules.ts'
import { findPerson, lockPerson, type Person, savePassword } from '../queries/people.ts'
import { revokeSessionsOf } from '../queries/sessions.ts'
import { beginTry, fail, succeed } from '../tries.ts'
import { createTurns } from '../turns.ts'
import { advanceSession, describeOpened, type SignedIn } from './open-session.ts'
import { actorOfPerson, stageAfterSecondFactor } from './sign-in-with-email.ts'

/** The person behind the session; a key is nobody's own. */
export async function getSelf(ctx: RequestContext): Promise<Person & { sessionId: string }> {
  const { actor } = ctx
  const person = actor.type === 'user' ? await findPerson(ctx, actor.id) : undefined
  if (!person || actor.sessionId === undefined)
    throw new AppError('conflict', 'This is for people who signed in with email and password')
  return { ...person, sessionId: actor.sessionId }
}

/** Asks for the password again before something that would outlast a stolen session. Wrong ones count as sign-ins do. */
export const provePassword = (
  ctx: RequestContext,
  person: Person,
  password: string,
  parameter = 'current_password',
): Promise<void> => ctx.instance(createTurns).withPlace(() => tryOwnPassword(ctx, person, password, parameter))

async function tryOwnPassword(ctx: RequestContext, person: Person, password: string, parameter: string): Promise<void> {
  const tried = await beginTry(ctx, { method: 'email', account: { name: person.email, userId: person.id } })
  if (!(await ctx.instance(createPasswordCheck).matches(password, person.password_hash))) {
    await fail(ctx, tried, 'wrong password')
    throw new AppError('invalid_request', 'This is not your current password', { parameter })
  }
  await inTransaction(ctx, (tx) => succeed(tx, tried))
}

async function refuseUnfit(ctx: RequestContext, person: Person, password: string): Promise<void> {
  await refuseCommonPassword(password, person)
  if (await ctx.instance(createPasswordCheck).matches(password, person.password_hash))
    throw new AppError('invalid_request', 'Choose a different password', {
      parameter: 'password',
    })
}

/** Only the password that was proven is replaced: an administrator who reset it meanwhile has the last word. */
async function replacePassword(tx: TransactionContext, self: Person, passwordHash: string): Promise<void> {
  const person = await lockPerson(tx, self.id)
  if (person?.password_hash !== self.password_hash)
    throw new AppError('conflict', 'The password was changed. Sign in again.')
  await savePassword(tx, self.id, passwordHash)
}

/** Replaces a temporary password; the sign-in goes on from there. */
export async function chooseFirstPassword(ctx: RequestContext, password: string): Promise<SignedIn> {
  const self = await getSelf(ctx)
  if (ctx.actor.stage !== 'new_password') throw new AppError('conflict', 'There is no temporary password to replace')
  await refuseUnfit(ctx, self, password)
  const passwordHash = await ctx.instance(createPasswordCheck).hash(password)
  const stage = stageAfterSecondFactor({ ...self, temporary_password_expires_at: null })
  const sessionKey = await inTransaction(ctx, async (tx) => {
    await replacePassword(tx, self, passwordHash)
    const ended = await revokeSessionsOf(tx, self.id, 'password_changed', self.sessionId)
    await recordAudit(tx, {
      action: 'user.change_password',
      resource: 'user',
      id: self.id,
      after: { first: true, ended_sessions: ended.length },
    })
    return advanceSession(tx, self.sessionId, { stage })
  })
  ctx.changes.tell('sessions')
  return describeAt(ctx, self, stage, sessionKey)
}

export async function changePassword(
  ctx: RequestContext,
  { current_password, password }: { current_password: string; password: string },
): Promise<{ success: true; ended_sessions: number }> {
  const self = await getSelf(ctx)
  await provePassword(ctx, self, current_password)
  await refuseUnfit(ctx, self, password)
  const passwordHash = await ctx.instance(createPasswordCheck).hash(password)
  const ended = await inTransaction(ctx, async (tx) => {
    await replacePassword(tx, self, passwordHash)
    const others = await revokeSessionsOf(tx, self.id, 'password_changed', self.sessionId)
    await recordAudit(tx, {
      action: 'user.change_password',
      resource: 'user',
      id: self.id,
      after: { ended_sessions: others.length },
    })
    return others.length
  })
  ctx.changes.tell('sessions')
  return { success: true, ended_sessions: ended }
}

/** The session as it is after a step of its sign-in: what the request began with is over. */
export async function describeAt(
  ctx: RequestContext,
  self: Person & { sessionId: string },
  stage: NonNullable<RequestContext['actor']['stage']>,
  sessionKey: string,
): Promise<SignedIn> {
  const actor = { ...actorOfPerson(self), sessionId: self.sessionId, stage }
  return describeOpened(ctx, {
    actor: stage === 'open' ? actor : { ...actor, permissions: new Set() },
    sessionKey,
  })
}
