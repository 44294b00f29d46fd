import type { ServedBuild } from '@agency/contract/types'
import type { AppContext } from '../../context.ts'
import { ProbeError } from '../../platform/probe/probe-error.ts'
import { safeRequest } from '../../platform/probe/safe-request.ts'
import type { DeployProvider } from './providers/provider.ts'

const buildHeader = 'x-build-id'
const timeoutMs = 5000
const longestBuild = 200

type Heard = { buildId: string | null; detail: string }

async function ask(ctx: AppContext, domain: string): Promise<Heard> {
  try {
    const url = `https://${domain}/`
    const { status, headers } = await safeRequest({ url, timeoutMs, maxBytes: 1024 }, { demoHosts: ctx.demoHosts })
    const header = headers[buildHeader]
    const told = (Array.isArray(header) ? header[0] : header)?.slice(0, longestBuild)
    if (told) return { buildId: told, detail: `https://${domain} serves build ${told}` }
    return {
      buildId: null,
      detail: `https://${domain} answers with status ${status}, without a build number`,
    }
  } catch (error) {
    const reason = error instanceof ProbeError ? error.message : 'unknown error'
    return { buildId: null, detail: `https://${domain} could not be reached: ${reason}` }
  }
}

/** The build that the site says it serves. */
export const findBuildOf = async (ctx: AppContext, domain: string): Promise<string | null> =>
  (await ask(ctx, domain)).buildId

/** Asks the site itself which build it serves and, where it does not say, the provider. */
export async function findServedBuild(
  ctx: AppContext,
  { domain, expected, provider }: { domain: string; expected: string | null; provider: DeployProvider },
): Promise<ServedBuild> {
  const heard = await ask(ctx, domain)
  const told = { expected, checked_at: new Date(ctx.clock()).toISOString() }
  const compare = (buildId: string) => (expected === null ? null : buildId === expected)
  if (heard.buildId !== null)
    return {
      ...told,
      build_id: heard.buildId,
      matches: compare(heard.buildId),
      source: 'response',
      detail: heard.detail,
    }
  const reported = await provider.findReported().catch(() => null)
  if (reported === null) return { ...told, build_id: null, matches: null, source: null, detail: heard.detail }
  const detail = `${heard.detail}. Cloudflare reports ${reported}`
  return { ...told, build_id: reported, matches: compare(reported), source: 'provider', detail }
}
