import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { createPasswordCheck } from '../password-check.ts'
import { refuseCommonPassword } from '../password-rules.ts'
import { findOpenLink, insertLink, revokeLinks, takeLink } from '../queries/links.ts'
import { findPerson, lockPerson, noteSignIn, savePassword } from '../queries/people.ts'
import { revokeSessionsOf } from '../queries/sessions.ts'
import { beginTry, fail, succeed } from '../tries.ts'
import { describeOpened, openSession, type SignedIn } from './open-session.ts'
import { actorOfPerson, firstStage } from './sign-in-with-email.ts'

type LinkKind = 'invitation' | 'password_reset'
export type MadeLink = { id: string; token: string; path: string; expiresAt: Date }

const dayMs = 86_400_000
const linkLifeMs: Record<LinkKind, number> = { invitation: 7 * dayMs, password_reset: dayMs }

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Makes a link that lets somebody choose a password, once; those before it stop working. The token stands behind `#`,
 * where neither servers nor proxies write it into their logs.
 */
export async function makeLink(tx: TransactionContext, kind: LinkKind, userId: string): Promise<MadeLink> {
  await revokeLinks(tx, userId)
  const token = randomBytes(32).toString('base64url')
  const id = randomUUID()
  const expiresAt = new Date(tx.clock() + linkLifeMs[kind])
  await insertLink(tx, { id, kind, userId, tokenHash: hashOf(token), expiresAt })
  return { id, token, path: `/welcome#${token}`, expiresAt }
}

const useless = () =>
  new AppError('not_found', 'This link was used, has expired or was replaced. Ask an administrator for a new one.')

export async function inspectLink(ctx: RequestContext, token: string) {
  const link = await findOpenLink(ctx, hashOf(token))
  if (!link) throw useless()
  return { kind: link.kind, email: link.email, name: link.name, expires_at: link.expires_at.toISOString() }
}

/** Uses a link: the password is chosen, other sessions end, and the sign-in goes on with the second factor if there is one. */
export async function acceptLink(
  ctx: RequestContext,
  { token, password }: { token: string; password: string },
): Promise<SignedIn> {
  const link = await findOpenLink(ctx, hashOf(token))
  if (!link) {
    await fail(ctx, await beginTry(ctx, { method: 'link' }), 'link not valid')
    throw useless()
  }
  await refuseCommonPassword(password, link)
  // Only now: a password that is too easy is no wrong try.
  const tried = await beginTry(ctx, { method: 'link' })
  const passwordHash = await ctx.instance(createPasswordCheck).hash(password)
  const opened = await inTransaction(ctx, async (tx) => {
    await lockPerson(tx, link.user_id)
    if (!(await takeLink(tx, link.id))) throw useless()
    await savePassword(tx, link.user_id, passwordHash)
    const ended = await revokeSessionsOf(tx, link.user_id, 'password_changed')
    const person = await findPerson(tx, link.user_id)
    if (!person) throw useless()
    const actor = actorOfPerson(person)
    await recordAudit(
      { ...tx, actor },
      {
        action: `${link.kind}.accept`,
        resource: 'user',
        id: person.id,
        after: { name: person.name, link: link.id, ended_sessions: ended.length },
      },
    )
    await succeed(tx, { ...tried, userId: person.id })
    await noteSignIn(tx, person.id)
    return openSession(tx, actor, { stage: firstStage(person), method: link.kind })
  })
  return describeOpened(ctx, opened)
}
