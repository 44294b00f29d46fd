import type { Config } from './config.ts'
import { connectCloudflare } from './connect-cloudflare.ts'
import { createSandboxKeeper, demoFlagsOf, demoHostsOf, demoSitesOf, type StartSandbox } from './connect-sandbox.ts'
import { connectStripe } from './connect-stripe.ts'
import { type AppContext, notConnected, type Providers } from './context.ts'

type Parts = {
  /** Where the sandbox keeps its world. */
  databaseUrl: string
  watch: Pick<AppContext, 'db' | 'pool' | 'clock' | 'log'>
  playsSandbox: boolean
  /** Replaced in tests. */
  startSandbox?: StartSandbox
}

type Door<Gateway> = { name: string; gateway: Gateway | null; retire(): void }

const shut = (name: string): Door<never> => ({ name, gateway: null, retire() {} })

/** Keeps the door that is open for as long as the same one is asked for; the one before is retired first. */
function createDoor<Gateway>() {
  let current: Door<Gateway> | undefined
  return (name: string, open: () => Omit<Door<Gateway>, 'name'> | null): Gateway | null => {
    if (current?.name === name) return current.gateway
    current?.retire()
    current = undefined
    const opened = open()
    current = opened ? { ...opened, name } : shut(name)
    return current.gateway
  }
}

const nameOf = (account: object): string => JSON.stringify(account)

/** The doors to the accounts that are configured; without any, to the sandbox that plays both. */
export function createConnection({ databaseUrl, watch, playsSandbox, startSandbox }: Parts) {
  const sandbox = createSandboxKeeper(databaseUrl, watch.log, startSandbox)
  const stripeDoor = createDoor<NonNullable<Providers['stripe']>>()
  const cloudflareDoor = createDoor<NonNullable<Providers['cloudflare']>>()

  function connect(
    stripe: Config['stripe'],
    cloudflare: Config['cloudflare'],
  ): Pick<Providers, 'stripe' | 'cloudflare'> {
    const { secretKey, apiBase } = stripe
    const { apiToken } = cloudflare
    return {
      stripe: stripeDoor(nameOf({ secretKey, apiBase }), () =>
        secretKey === undefined ? null : connectStripe({ secretKey, apiBase }, watch),
      ),
      cloudflare: cloudflareDoor(nameOf(cloudflare), () =>
        apiToken === undefined ? null : connectCloudflare({ ...cloudflare, apiToken }, watch),
      ),
    }
  }

  async function play({ dataDir }: Config): Promise<Providers> {
    const thread = await sandbox.open(dataDir)
    const { stripe, cloudflare } = thread
    const { baseUrl: apiBase, apiToken, accountId } = cloudflare
    return {
      ...connect(
        { secretKey: stripe.secretKey, apiBase: stripe.baseUrl, webhookSecret: undefined },
        { apiToken, accountId, apiBase },
      ),
      demoHosts: demoHostsOf(thread),
      demoSites: demoSitesOf(thread),
      demoFlags: demoFlagsOf(thread),
    }
  }

  /** The providers of this configuration; a door that is open already stays. */
  async function open(config: Config): Promise<Providers> {
    if (config.mode === 'demo' && playsSandbox) return play(config)
    const providers = connect(config.stripe, config.cloudflare)
    sandbox.close().catch((error: unknown) => watch.log.warn({ err: error }, 'the sandbox did not stop cleanly'))
    return { ...notConnected, ...providers }
  }

  /** Like `open`, while the application runs: what cannot be opened leaves it without providers. */
  async function reopen(config: Config): Promise<Providers> {
    try {
      return await open(config)
    } catch (error) {
      watch.log.error({ err: error }, 'the providers could not be opened')
      return notConnected
    }
  }

  return { open, reopen, close: sandbox.close }
}
