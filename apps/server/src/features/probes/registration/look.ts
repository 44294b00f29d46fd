import type { AppContext } from '../../../context.ts'
import {
  type DueHost,
  findDueDomains,
  findDueHosts,
  findKnownDomain,
  saveDomain,
  saveHost,
  saveProblem,
} from '../queries/registrations.ts'
import { createRdap, type RdapAnswer } from './rdap.ts'
import { candidatesOf } from './rdap-answer.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
/** Registries are asked one question after the other, and no more of them at a time than this. */
const mostAtATime = 60
const notFound = 'Domain not found in any registry'

type Found = { domain: string | null; problem: string | null }

/** A domain once a day; what was not answered some hours later. */
const nextAt = (ctx: AppContext, answer: RdapAnswer): Date =>
  new Date(ctx.clock() + (answer.kind === 'unknown' ? 6 * hourMs : dayMs))

async function look(ctx: AppContext, domain: string, signal: AbortSignal): Promise<RdapAnswer> {
  const answer = await ctx.instance(createRdap).find(domain, signal)
  if (answer.kind === 'found')
    await saveDomain(ctx, { domain, ...answer.registration, at: new Date(ctx.clock()), nextAt: nextAt(ctx, answer) })
  return answer
}

/** The shortest name above the host that its registry knows, preferably with an end. */
async function findOut(ctx: AppContext, host: string, signal: AbortSignal): Promise<Found> {
  const candidates = candidatesOf(host)
  const known = await findKnownDomain(ctx, candidates)
  if (known !== undefined) return { domain: known, problem: null }
  // Some registries know of a suffix that they sell below; its answer has no end.
  let endless: string | null = null
  for (const candidate of candidates) {
    const answer = await look(ctx, candidate, signal)
    if (answer.kind === 'unknown') return { domain: endless, problem: answer.problem }
    if (answer.kind === 'none') continue
    if (answer.registration.expiresAt !== null) return { domain: candidate, problem: null }
    endless ??= candidate
  }
  return { domain: endless, problem: endless === null ? notFound : null }
}

async function findOutHost(ctx: AppContext, due: DueHost, signal: AbortSignal): Promise<void> {
  const found = await findOut(ctx, due.host, signal)
  const again = found.problem === notFound || found.problem === null ? dayMs : 6 * hourMs
  await saveHost(ctx, due, { ...found, nextAt: new Date(ctx.clock() + again) })
}

async function lookAgain(ctx: AppContext, domain: string, signal: AbortSignal): Promise<void> {
  const answer = await look(ctx, domain, signal)
  if (answer.kind === 'found') return
  const problem = answer.kind === 'none' ? notFound : answer.problem
  await saveProblem(ctx, domain, problem, nextAt(ctx, answer))
}

/** Finds out on which registered domains the sites stand, and once a day when these expire. */
export async function lookAtRegistrations(ctx: AppContext, signal: AbortSignal): Promise<void> {
  const now = new Date(ctx.clock())
  for (const due of await findDueHosts(ctx, now, mostAtATime)) {
    if (signal.aborted) return
    await findOutHost(ctx, due, signal)
  }
  for (const domain of await findDueDomains(ctx, now, mostAtATime)) {
    if (signal.aborted) return
    await lookAgain(ctx, domain, signal)
  }
}
