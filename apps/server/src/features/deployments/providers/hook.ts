import { z } from 'zod'
import type { AppContext } from '../../../context.ts'
import { ProbeError } from '../../../platform/probe/probe-error.ts'
import { type SafeAnswer, safeRequest } from '../../../platform/probe/safe-request.ts'
import { findBuildOf } from '../served.ts'
import { signedHeaders } from './hook-signature.ts'
import { type Build, type DeployProvider, NotStarted, type Order, Unclear, unknownBuild } from './provider.ts'
import { shortMessage } from './untrusted.ts'

type Hook = { url: string; secret: string | null; callback: boolean }
type HookedSite = { id: string; domain: string }

const timeoutMs = 10_000
const noText = z.string().min(1).max(200).nullish().catch(null)
const longText = z.string().nullish().catch(null)
const answer = z.object({ build_id: noText, commit_hash: noText, commit_message: longText, branch: noText })

function buildOf({ body }: SafeAnswer): Build {
  try {
    const { build_id, commit_hash, commit_message, branch } = answer.parse(JSON.parse(body.toString('utf8')))
    const version = commit_hash?.slice(0, 7) ?? build_id?.slice(0, 12) ?? null
    return {
      ...unknownBuild,
      ...{ buildId: build_id ?? null, version, commitHash: commit_hash ?? null },
      ...{ commitMessage: shortMessage(commit_message), branch: branch ?? null },
    }
  } catch {
    return unknownBuild
  }
}

/** Reasons for which the request itself never left. */
const notSent: ReadonlySet<string> = new Set(['url', 'address', 'network', 'dns', 'connect', 'tls'])

async function call(ctx: AppContext, { url, secret }: Hook, message: object): Promise<SafeAnswer> {
  const body = JSON.stringify(message)
  const headers = {
    'content-type': 'application/json',
    ...(secret !== null && signedHeaders(secret, body, ctx.clock())),
  }
  try {
    return await safeRequest(
      { url, method: 'POST', headers, body, maxRedirects: 0, requireTrust: true, timeoutMs },
      { demoHosts: ctx.demoHosts },
    )
  } catch (error) {
    if (error instanceof ProbeError && notSent.has(error.reason))
      throw new NotStarted(`The deploy hook could not be called: ${error.message}`, { cause: error })
    throw error
  }
}

async function start(ctx: AppContext, hook: Hook, { row, about, callbackUrl }: Order): Promise<Build> {
  const isRollback = row.kind === 'rollback'
  if (isRollback && !about?.build_id) throw new NotStarted('Unknown build to roll back to')
  const heard = await call(ctx, hook, {
    deployment_id: row.id,
    kind: isRollback ? 'rollback' : 'deploy',
    ...(isRollback && { build_id: about?.build_id }),
    ...(callbackUrl !== null && { callback_url: callbackUrl }),
  })
  const { status } = heard
  if (status >= 200 && status < 300)
    return isRollback ? { ...unknownBuild, buildId: about?.build_id ?? null } : buildOf(heard)
  if (status === 429) throw new NotStarted('The deploy hook takes no more calls right now', { retryAfter: 60 })
  if (status < 500) throw new NotStarted(`The deploy hook refused the call with status ${status}`)
  throw new Unclear(`The deploy hook answered with status ${status}`)
}

/** It cannot be asked, but what the site serves since the call is what it built. */
async function findLost(ctx: AppContext, domain: string, { row, about }: Order): Promise<Build | 'unknowable'> {
  const served = await findBuildOf(ctx, domain)
  if (served === null || !row.known_before?.length || row.known_before.includes(served)) return 'unknowable'
  if (row.kind === 'rollback' && served !== about?.build_id) return 'unknowable'
  return { ...unknownBuild, buildId: served }
}

/** Builds behind an address that is called, and tells of it by signed calls or not at all. */
export function hookProvider(ctx: AppContext, { id, domain }: HookedSite, hook: Hook): DeployProvider {
  return {
    lane: `hook:${id}`,
    rollsBackAtOnce: false,
    listKnown: async () => [await findBuildOf(ctx, domain)].filter((build) => build !== null),
    setEnvironment: async () => false,
    start: (order) => start(ctx, hook, order),
    findLost: (order) => findLost(ctx, domain, order),
    read: async () => 'untold',
    readLog: async () => [],
    stop: async () => 'deploy hooks cannot be stopped',
    findReported: async () => null,
  }
}
