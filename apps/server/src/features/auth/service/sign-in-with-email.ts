import type { SessionStage } from '@agency/contract/auth'
import { type Actor, inTransaction, type RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { permissionsOf } from '../actors.ts'
import { createPasswordCheck } from '../password-check.ts'
import { findPersonByEmail, lockPerson, noteSignIn, type Person } from '../queries/people.ts'
import { beginTry, fail, succeed } from '../tries.ts'
import { createTurns } from '../turns.ts'
import { describeOpened, openSession, type SignedIn } from './open-session.ts'

type Given = { email: string; password: string }

const refused = () => new AppError('unauthenticated', 'Invalid email or password. Please try again.')

/**
 * Trades email and password for a session key. Neither words nor time tell whether the person exists: an unknown one's
 * password is compared too, with a hash that nothing fits.
 */
export const signInWithEmail = (ctx: RequestContext, given: Given): Promise<SignedIn> =>
  ctx.instance(createTurns).withPlace(() => tryPassword(ctx, given))

async function tryPassword(ctx: RequestContext, { email, password }: Given): Promise<SignedIn> {
  const person = await findPersonByEmail(ctx, email.trim().toLowerCase())
  const tried = await beginTry(ctx, { method: 'email', account: { name: email, userId: person?.id ?? null } })
  const isRight = await ctx.instance(createPasswordCheck).matches(password, person?.password_hash ?? null)
  const wrong = whyNot(person, isRight)
  if (!person || wrong !== null) {
    await fail(ctx, tried, wrong)
    throw refused()
  }
  if (hasExpired(person, ctx.clock())) {
    await fail(ctx, tried, 'temporary password expired')
    throw new AppError('unauthenticated', 'This temporary password has expired. Ask an administrator for a new one.')
  }
  const opened = await inTransaction(ctx, async (tx) => {
    const current = await lockPerson(tx, person.id)
    // Whoever took the password or the account away while it was compared has the last word.
    if (!current?.is_active || current.password_hash !== person.password_hash) throw refused()
    await succeed(tx, tried)
    await noteSignIn(tx, current.id)
    return openSession(tx, actorOfPerson(current), { stage: firstStage(current), method: 'email' })
  })
  return describeOpened(ctx, opened)
}

function whyNot(person: Person | undefined, isRight: boolean): string | null {
  if (!person) return 'no such account'
  if (person.password_hash === null) return 'invitation not accepted'
  if (!isRight) return 'wrong password'
  return person.is_active ? null : 'account not active'
}

const hasExpired = ({ temporary_password_expires_at: end }: Person, now: number): boolean =>
  end !== null && end.getTime() <= now

export function actorOfPerson(person: Person): Actor {
  return {
    type: 'user',
    id: person.id,
    name: person.name,
    role: person.role,
    permissions: permissionsOf(person.role, person.permissions),
  }
}

/** The first step that is left: the second factor proves who it is before anything can be changed. */
export function firstStage(person: Person): SessionStage {
  return person.totp_enabled_at ? 'second_factor' : stageAfterSecondFactor(person)
}

/** A temporary password is replaced, then a second factor set up where the role requires one. */
export function stageAfterSecondFactor(
  person: Pick<Person, 'temporary_password_expires_at' | 'requires_second_factor' | 'totp_enabled_at'>,
): SessionStage {
  if (person.temporary_password_expires_at) return 'new_password'
  return person.requires_second_factor && !person.totp_enabled_at ? 'enrolment' : 'open'
}
