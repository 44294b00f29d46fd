import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxThread } from '@agency/sandbox/thread'
import type { DemoFlags } from './context.ts'
import type { Logger } from './platform/logger.ts'
import type { DemoHosts } from './platform/probe/demo-hosts.ts'

export type StartSandbox = (options: { databaseUrl: string }) => Promise<SandboxThread>

const sandboxFile = 'sandbox.json'
const sitesTimeoutMs = 10_000

/** The sandbox, once somebody wants it to play the providers. */
export function createSandboxKeeper(databaseUrl: string, log: Logger, start: StartSandbox = startThread) {
  let running: { thread: SandboxThread; file: string } | undefined
  let closing: Promise<void> = Promise.resolve()

  async function open(dataDir: string): Promise<SandboxThread> {
    if (running) return running.thread
    await closing
    const thread = await start({ databaseUrl })
    running = { thread, file: join(dataDir, sandboxFile) }
    await tellWhereItIs(dataDir, running.file, thread)
    log.info(
      { stripe: thread.stripe.baseUrl, cloudflare: thread.cloudflare.baseUrl },
      'the sandbox plays the providers',
    )
    return thread
  }

  async function end(): Promise<void> {
    const open = running
    running = undefined
    await open?.thread.stop()
    if (open) await rm(open.file, { force: true })
  }

  return {
    open,
    /** Nobody has to wait for it but whoever opens it again. */
    close(): Promise<void> {
      closing = closing.then(end)
      return closing
    },
  }
}

/** The only names that a probe may reach on this machine. */
export function demoHostsOf({ hosting: { hosts, httpPort, httpsPort, ca, rdapUrl } }: SandboxThread): DemoHosts {
  const served: ReadonlySet<string> = new Set(hosts)
  return { hosts: () => served, address: '127.0.0.1', httpPort, httpsPort, ca, rdapUrl }
}

async function askHosting({ hosting }: SandboxThread, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${hosting.controlUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${hosting.controlKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(sitesTimeoutMs),
  })
  if (!response.ok) throw new Error(`The sandbox refused ${path}: ${response.status}`)
  return response.json()
}

export const demoSitesOf = (thread: SandboxThread) => (): Promise<unknown> => askHosting(thread, '/sites')

export const demoFlagsOf = (thread: SandboxThread): DemoFlags => ({
  where: async () => ((await askHosting(thread, '/flags')) as { url: string | null }).url,
  set: async (access) => void (await askHosting(thread, '/flags', access ?? { url: null })),
})

/** For whoever steers the sandbox from outside: only the owner of DATA_DIR may read its key. */
async function tellWhereItIs(
  dataDir: string,
  file: string,
  { stripe, cloudflare, hosting }: SandboxThread,
): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const { baseUrl, secretKey } = stripe
  await writeFile(file, `${JSON.stringify({ baseUrl, secretKey, cloudflare, hosting })}\n`, { mode: 0o600 })
}

async function startThread(options: { databaseUrl: string }): Promise<SandboxThread> {
  // The rest of the package stays in the thread: only what starts it is loaded here.
  const { startSandboxThread } = await import('@agency/sandbox/thread')
  return startSandboxThread(options)
}
