import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxThread } from '@agency/sandbox/thread'
import type { Config } from './config.ts'
import type { AppContext } from './context.ts'
import { watchStripe } from './features/mirror/index.ts'
import { createStripeGateway } from './integrations/stripe/client.ts'
import { retirable } from './integrations/stripe/retire.ts'

type Parts = {
  /** Where the sandbox keeps its world. */
  databaseUrl: string
  watch: Pick<AppContext, 'db' | 'clock' | 'log'>
  playsSandbox: boolean
  /** Replaced in tests. */
  startSandbox?: (options: { databaseUrl: string }) => Promise<SandboxThread>
}

type Open = { name: string; gateway: AppContext['stripe']; retire(): void }

const sandboxFile = 'sandbox.json'

/** The door to the account that is configured, else to the sandbox, else none; one is open at a time. */
export function createStripeConnection({ databaseUrl, watch, playsSandbox, startSandbox = startThread }: Parts) {
  let current: Open | undefined
  let sandbox: { thread: SandboxThread; file: string } | undefined
  let closing: Promise<void> = Promise.resolve()

  function openGateway(name: string, account: { secretKey: string; apiBase: string | undefined }): Open {
    const { gateway, retire } = retirable(createStripeGateway(account))
    return { name, gateway: watchStripe(gateway, watch), retire }
  }

  async function openSandbox({ dataDir }: Config): Promise<Open> {
    if (!sandbox) {
      await closing
      const thread = await startSandbox({ databaseUrl })
      sandbox = { thread, file: join(dataDir, sandboxFile) }
      await tellWhereSandboxIs(dataDir, sandbox.file, thread.stripe)
      watch.log.info({ sandbox: thread.stripe.baseUrl }, 'the sandbox plays the provider')
    }
    const { secretKey, baseUrl } = sandbox.thread.stripe
    return openGateway('sandbox', { secretKey, apiBase: baseUrl })
  }

  async function closeSandbox(): Promise<void> {
    const open = sandbox
    sandbox = undefined
    await open?.thread.stop()
    if (open) await rm(open.file, { force: true })
  }

  /** Nobody has to wait for it but whoever opens it again. */
  function close(): Promise<void> {
    closing = closing.then(closeSandbox)
    return closing
  }

  /** The provider of this configuration; the one that is open already stays. */
  async function open(config: Config): Promise<AppContext['stripe']> {
    const { secretKey, apiBase } = config.stripe
    const isPlayed = secretKey === undefined && config.mode === 'demo' && playsSandbox
    const name = isPlayed ? 'sandbox' : JSON.stringify([secretKey, apiBase])
    if (current?.name === name) return current.gateway
    current?.retire()
    current = undefined
    if (isPlayed) current = await openSandbox(config)
    else current = secretKey ? openGateway(name, { secretKey, apiBase }) : { name, gateway: null, retire() {} }
    if (!isPlayed) close().catch((error: unknown) => watch.log.warn({ err: error }, 'the sandbox did not stop cleanly'))
    return current.gateway
  }

  /** Like `open`, while the application runs: what cannot be opened leaves it without a provider. */
  async function reopen(config: Config): Promise<AppContext['stripe']> {
    try {
      return await open(config)
    } catch (error) {
      watch.log.error({ err: error }, 'the provider could not be opened')
      return null
    }
  }

  return { open, reopen, close }
}

/** For whoever steers the sandbox from outside: only the owner of DATA_DIR may read its key. */
async function tellWhereSandboxIs(
  dataDir: string,
  file: string,
  { baseUrl, secretKey }: SandboxThread['stripe'],
): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, `${JSON.stringify({ baseUrl, secretKey })}\n`, { mode: 0o600 })
}

async function startThread(options: { databaseUrl: string }): Promise<SandboxThread> {
  // The rest of the package stays in the thread: only what starts it is loaded here.
  const { startSandboxThread } = await import('@agency/sandbox/thread')
  return startSandboxThread(options)
}
