import type { AppContext } from '../../../context.ts'
import { counted } from '../../../platform/counted.ts'
import { createOwnAddress } from '../own-address.ts'
import { findUntrustedProxy } from '../proxy.ts'
import { plainTransport } from '../transport.ts'
import { type Check, type Judged, ok, unknown } from './check.ts'

const patienceMs = 5000
/** The page itself, and an answer of the API. */
const paths = ['/admin', '/api/auth/session']

/** What an answer lacks, in words. */
export function headerFaults(headers: Headers, isSecure: boolean): string[] {
  const policy = headers.get('content-security-policy') ?? ''
  const faults: [isFault: boolean, words: string][] = [
    [!policy.includes('default-src'), 'no content security policy'],
    [/'unsafe-(inline|eval)'/.test(policy), 'a content security policy that allows unsafe code'],
    [!policy.includes("frame-ancestors 'none'"), 'may be shown in a frame'],
    [headers.get('x-content-type-options') !== 'nosniff', 'no nosniff'],
    [!headers.get('referrer-policy'), 'no referrer policy'],
    [isSecure && !headers.get('strict-transport-security'), 'no strict transport security'],
  ]
  return faults.filter(([isFault]) => isFault).map(([, words]) => words)
}

async function judge(ctx: AppContext): Promise<Judged> {
  const address = ctx.instance(createOwnAddress).url
  if (address === null) return unknown('This process serves no pages')
  const isSecure = ctx.config.publicUrl?.startsWith('https:') ?? false
  const faults: string[] = []
  for (const path of paths) {
    const response = await fetch(`${address}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
    await response.body?.cancel()
    faults.push(...headerFaults(response.headers, isSecure).map((fault) => `${path}: ${fault}`))
  }
  if (faults.length === 0) return ok('All security headers are set')
  return {
    state: 'error',
    finding: faults.join('; '),
    advice: 'The console sends these headers itself. Check for changed files.',
  }
}

function judgeTransport({ config }: AppContext): Judged {
  const link = { path: '/admin/config', text: 'Set "Address of this console"' }
  const plain = plainTransport(config)
  if (plain) return { state: plain.isError ? 'error' : 'warning', finding: plain.finding, advice: plain.advice, link }
  if (config.publicUrl?.startsWith('https:')) return ok(`The console is used at ${config.publicUrl}`)
  return {
    state: 'advice',
    finding: 'Reached from this server only',
    advice: 'Set "Address of this console" to an https address before others use the console.',
    link,
  }
}

async function judgeProxy(ctx: AppContext): Promise<Judged> {
  const untrusted = await findUntrustedProxy(ctx)
  if (untrusted)
    return {
      state: untrusted.isNear ? 'warning' : 'advice',
      finding: untrusted.finding,
      advice: untrusted.advice,
    }
  const { trustProxy } = ctx.config
  if (trustProxy === false) return ok('No proxy trusted, none seen in the last week')
  const who = typeof trustProxy === 'number' ? counted(trustProxy, 'proxy', 'proxies') : trustProxy.join(', ')
  return ok(`Trusts ${who} in front; no other proxy seen in the last week`)
}

export const headerChecks: readonly Check[] = [
  { id: 'headers', title: 'Security headers', run: judge },
  { id: 'transport', title: 'Encrypted connection', run: judgeTransport },
  { id: 'proxy', title: 'Proxy in front', run: judgeProxy },
]
