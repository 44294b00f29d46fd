import { CANCELLED, NODATA, NOTFOUND, Resolver } from 'node:dns/promises'

const tryMs = 2000
const tries = 2
const leadsNowhere: ReadonlySet<unknown> = new Set([NOTFOUND, NODATA])

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code

/** What the resolver knows of the name; nothing when it says that there is nothing. */
async function known(asked: Promise<string[]>): Promise<string[]> {
  try {
    return await asked
  } catch (error) {
    if (leadsNowhere.has(codeOf(error))) return []
    throw error
  }
}

/**
 * The addresses of a name, those of IPv4 first; none when it leads nowhere. Rejects with `EAI_AGAIN` when the resolver
 * does not tell. Asks the resolver itself: what the system's own lookup waits for keeps the process from ending
 * (https://docs.libuv.org/en/v1.x/threadpool.html), and cannot be stopped.
 */
export async function addressesOf(
  name: string,
  { signal, servers }: { signal?: AbortSignal; servers?: string[] } = {},
): Promise<string[]> {
  const resolver = new Resolver({ timeout: tryMs, tries })
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    const asked = await Promise.allSettled([known(resolver.resolve4(name)), known(resolver.resolve6(name))])
    const addresses = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failed = asked.find((answer) => answer.status === 'rejected')
    // One family is enough to get there, but does not prove that there is nothing.
    if (addresses.length > 0 || !failed) return addresses
    throw Object.assign(new Error(`The resolver does not tell where ${name} is`, { cause: failed.reason }), {
      code: codeOf(failed.reason) === CANCELLED ? CANCELLED : 'EAI_AGAIN',
    })
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

/** What a name leads to, aliases included; null when the resolver does not tell. */
export async function recordsOf(
  name: string,
  { signal, servers }: { signal?: AbortSignal; servers?: string[] } = {},
): Promise<string[] | null> {
  const resolver = new Resolver({ timeout: tryMs, tries })
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    const asked = [resolver.resolve4(name), resolver.resolve6(name), resolver.resolveCname(name)]
    return (await Promise.all(asked.map(known))).flat()
  } catch {
    return null
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}
