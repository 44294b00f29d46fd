import type { AppContext } from '../../../context.ts'
import { createOwnAddress } from '../own-address.ts'
import { findUntrustedProxy } from '../proxy.ts'
import { plainTransport } from '../transport.ts'
import { type Check, countText, type Judged, ok, unknown } from './check.ts'

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
  if (address === null) return unknown('This process serves no pages, so there is nothing to look at')
  const isSecure = ctx.config.publicUrl?.startsWith('https:') ?? false
  const faults: string[] = []
  for (const path of paths) {
    const response = await fetch(`${address}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
    await response.body?.cancel()
    faults.push(...headerFaults(response.headers, isSecure).map((fault) => `${path}: ${fault}`))
  }
  if (faults.length === 0) return ok('Pages and answers carry every header that they should')
  return {
    state: 'error',
    finding: faults.join('; '),
    advice: 'The console sends these headers itself. Look for a change in its files.',
  }
}

function judgeTransport({ config }: AppContext): Judged {
  const link = { path: '/admin/config', text: 'Set the public address' }
  const plain = plainTransport(config)
  if (plain) return { state: plain.isError ? 'error' : 'warning', finding: plain.finding, advice: plain.advice, link }
  if (config.publicUrl?.startsWith('https:')) return ok(`The console is used at ${config.publicUrl}`)
  return {
    state: 'advice',
    finding: 'The console is reached from this machine only, as far as it knows',
    advice: 'Set the public address to https once others use the console: links in mails and strict transport need it.',
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
  if (trustProxy === false) return ok('No proxy is trusted, and none was seen in the last week')
  const who = typeof trustProxy === 'number' ? countText(trustProxy, 'proxy', 'proxies') : trustProxy.join(', ')
  return ok(`What ${who} in front forwards counts, and nobody else was seen forwarding in the last week`)
}

export const headerChecks: readonly Check[] = [
  { id: 'headers', title: 'Headers of pages and answers', run: judge },
  { id: 'transport', title: 'Encrypted connection', run: judgeTransport },
  { id: 'proxy', title: 'Proxy in front', run: judgeProxy },
]
