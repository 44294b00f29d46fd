import type { AppContext } from '../../../context.ts'
import { counted } from '../../../platform/counted.ts'
import { findAdminKeySetting } from '../../auth/index.ts'
import { countWrongSignIns } from '../queries/facts.ts'
import {
  countSuperAdminsWithFactor,
  findPeopleFigures,
  findRoleFactors,
  type PeopleFigures,
  type RoleFactors,
} from '../queries/people.ts'
import { type Check, dayMs, type Judged, namesText, ok } from './check.ts'

const staleMs = 90 * dayMs
const people = { path: '/admin/users', text: 'Open Admin Users' }
const roles = { path: '/admin/users?tab=roles', text: 'Open Roles' }

const mayWrite = ({ permissions }: RoleFactors): boolean => permissions.some((one) => !one.endsWith('.read'))

/** Roles that may change something have to require a second factor, and their people to have one. */
export function judgeFactors(found: readonly RoleFactors[]): Judged {
  const covered = found
    .filter((role) => role.people > 0)
    .map((role) => `${role.name} ${role.withFactor} of ${role.people}`)
  const seen =
    covered.length === 0 ? 'Nobody signs in with email yet' : `With two-step verification: ${covered.join(', ')}`
  const bare = found.filter((role) => mayWrite(role) && role.withFactor < role.people)
  const lax = found.filter((role) => mayWrite(role) && !role.requires)
  if (bare.length === 0 && lax.length === 0) return ok(`${seen}. Every role that can change something requires it`)
  const finding = lax.length === 0 ? seen : `${seen}. Not required of ${namesText(lax.map(({ name }) => name))}`
  const advice = 'Require two-step verification for every role that can change something.'
  return { state: 'warning', finding, advice, link: roles }
}

const figures = (ctx: AppContext): Promise<PeopleFigures> =>
  findPeopleFigures(ctx, new Date(ctx.clock()), new Date(ctx.clock() - staleMs))

async function judgeStale(ctx: AppContext): Promise<Judged> {
  const { stale } = await figures(ctx)
  if (stale.length === 0) return ok('Everyone signed in during the last 90 days')
  const finding = `No sign-in for 90 days: ${namesText(stale)}`
  return { state: 'warning', finding, advice: 'Deactivate people who do not need the console.', link: people }
}

async function judgeInvitations(ctx: AppContext): Promise<Judged> {
  const { invited } = await figures(ctx)
  if (invited.length === 0) return ok('No pending invitations')
  const finding = `Pending invitations: ${namesText(invited)}`
  return { state: 'advice', finding, advice: 'Revoke invitations that nobody will use.', link: people }
}

async function judgeTemporary(ctx: AppContext): Promise<Judged> {
  const { temporary, temporaryExpired } = await figures(ctx)
  if (temporary.length > 0) {
    const finding = `Temporary password not replaced yet: ${namesText(temporary)}`
    return { state: 'advice', finding, advice: 'Ask them to sign in and choose their own.', link: people }
  }
  if (temporaryExpired.length === 0) return ok('Nobody has a temporary password')
  const finding = `Temporary password expired: ${namesText(temporaryExpired)}`
  return { state: 'advice', finding, advice: 'Deactivate them, or give them a new invitation.', link: people }
}

async function judgeAdminKey(ctx: AppContext): Promise<Judged> {
  const setting = await findAdminKeySetting(ctx)
  if (!setting?.enabled) return ok('The shared admin key is switched off')
  const others = await countSuperAdminsWithFactor(ctx)
  const link = { path: '/admin/security', text: 'Open the admin key' }
  if (others === 0)
    return {
      state: 'advice',
      finding: 'The shared admin key is still needed: no super admin uses two-step verification',
      advice:
        'Add yourself under Admin Users as a super admin with two-step verification. Then the log shows who did what.',
      link: people,
    }
  return {
    state: 'advice',
    finding: `The shared admin key is on, although ${counted(others, 'super admin uses', 'super admins use')} two-step verification`,
    advice: 'Switch the admin key off, or keep it for emergencies only.',
    link,
  }
}

async function judgeSignIns(ctx: AppContext): Promise<Judged> {
  const now = ctx.clock()
  const { failed, addresses, locked } = await countWrongSignIns(ctx, new Date(now - dayMs), new Date(now))
  if (failed === 0) return ok('No wrong sign-in in the last day')
  const from = counted(addresses, 'address', 'addresses')
  const finding = `${counted(failed, 'wrong sign-in')} from ${from} in the last day, ${locked} locked now`
  if (locked === 0 && failed < 20) return ok(finding)
  const link = { path: '/admin/security?tab=attempts', text: 'Open the sign-in attempts' }
  return { state: 'advice', finding, advice: 'Check whether you know the addresses.', link }
}

export const peopleChecks: readonly Check[] = [
  { id: 'second_factor', title: 'Two-step verification', run: async (ctx) => judgeFactors(await findRoleFactors(ctx)) },
  { id: 'admin_key', title: 'Shared admin key', run: judgeAdminKey },
  { id: 'stale_people', title: 'People who do not sign in', run: judgeStale },
  { id: 'invitations', title: 'Open invitations', run: judgeInvitations },
  { id: 'temporary_passwords', title: 'Temporary passwords', run: judgeTemporary },
  { id: 'sign_ins', title: 'Wrong sign-ins', run: judgeSignIns },
]
