import { createHash } from 'node:crypto'
import type { RequestContext } from '../../context.ts'
import { addressGroup } from '../../platform/http/address.ts'
import type { LockRule } from './lockout.ts'

/** What is counted and locked. */
export type Subject = { rule: LockRule; subject: string; userId: string | null }

/** What is tried: at the one admin key, or at an account, which may be nobody's. */
export type TriedAt = { account?: { name: string; userId: string | null } }

type Caller = Pick<RequestContext, 'address' | 'claimedAddress'>

export const groupOf = ({ address }: Caller): string => addressGroup(address ?? 'unknown')

/** What was typed may be a password in the wrong field, so only a hash of it is kept. */
const accountSubject = (name: string): string =>
  `account:${createHash('sha256').update(name.trim().toLowerCase()).digest('base64url').slice(0, 24)}`

/** The first word is the address, which the list of locks relies on. */
function whereOf(ctx: Caller): string {
  const claimed = ctx.claimedAddress
  return claimed ? `${groupOf(ctx)} for ${addressGroup(claimed)}` : groupOf(ctx)
}

export function subjectsOf(ctx: Caller, { account }: TriedAt): Subject[] {
  const where = whereOf(ctx)
  const nobody = { userId: null }
  const subjects: Subject[] = account
    ? [
        { rule: 'address', subject: `${where} at ${accountSubject(account.name)}`, userId: account.userId },
        { rule: 'account', subject: accountSubject(account.name), userId: account.userId },
      ]
    : [{ rule: 'address', subject: where, ...nobody }]
  subjects.push({ rule: 'everything', subject: `${where} at all`, ...nobody })
  if (ctx.claimedAddress) subjects.push({ rule: 'proxy', subject: `${groupOf(ctx)} as proxy`, ...nobody })
  return subjects
}

/** What must not be locked. Whoever invents a client of a proxy is still held to the locks of their own address. */
export function gatesOf(ctx: Caller, at: TriedAt): Subject[] {
  const own = subjectsOf(ctx, at)
  if (!ctx.claimedAddress) return own
  const direct = subjectsOf({ ...ctx, claimedAddress: null }, at)
  return [...own, ...direct.filter(({ rule }) => rule !== 'account')]
}
