import { isDeepStrictEqual } from 'node:util'
import { type AppContext, notConnected, type Providers } from '../../context.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { effectiveConfig } from './effective.ts'
import { findStored } from './queries/settings.ts'
import { openStored } from './stored.ts'

type Config = AppContext['config']

/** Opens the providers that a configuration asks for; a door that is open already stays. */
export type OpenProviders = (config: Config) => Promise<Providers>

const providerOf = ({ stripe, mode }: Config) => [stripe.secretKey, stripe.apiBase, mode === 'demo']
const providersOf = (config: Config) => [...providerOf(config), config.cloudflare]
/** What the mirror was told when it was started. */
const connectionOf = (config: Config) => [...providerOf(config), config.stripe.webhookSecret, config.publicUrl]

/**
 * Keeps what is in force equal to what is set: reads it again after every change, of this process or another, and replaces
 * configuration and provider of the application.
 */
export function createSettingsKeeper(ctx: AppContext) {
  const whenReconnected: (() => Promise<void>)[] = []
  let openProviders: OpenProviders | undefined
  let isOpening = false
  let isToBeTold = false
  let last: Promise<void> = Promise.resolve()

  async function read(): Promise<Config> {
    const { values, unreadable } = openStored(await findStored(ctx), await ctx.instance(createSecretBox))
    if (unreadable.size > 0) ctx.log.warn({ settings: [...unreadable] }, 'secrets were sealed with another key')
    return effectiveConfig(ctx.environment, values)
  }

  async function open(config: Config): Promise<void> {
    // Until they are open, which takes the sandbox a moment, there are none: those before were to be left.
    isOpening = true
    ctx.replace({ config, ...notConnected })
    const providers = (await openProviders?.(config)) ?? notConnected
    ctx.replace(providers)
    isOpening = false
    const { stripe, cloudflare } = providers
    const connected = { stripe: stripe !== null, cloudflare: cloudflare !== null }
    ctx.log.info({ mode: config.mode, ...connected }, 'the providers were changed')
  }

  async function apply(): Promise<void> {
    const config = await read()
    const before = ctx.config
    if (isDeepStrictEqual(config, before) && !isOpening) return
    isToBeTold ||= !isDeepStrictEqual(connectionOf(config), connectionOf(before))
    const areSame = isDeepStrictEqual(providersOf(config), providersOf(before)) && !isOpening
    if (areSame || !openProviders) ctx.replace({ config })
    else await open(config)
  }

  /** One after the other, so that an older look never replaces what a newer one found. */
  function reload(): Promise<void> {
    last = last.then(apply).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'what was set could not be put in force')
    })
    return last
  }

  /** By now every process has heard of the change, and none imports with the key before. */
  async function hear(): Promise<void> {
    await reload()
    if (!isToBeTold) return
    isToBeTold = false
    for (const callback of whenReconnected) await callback()
  }

  return {
    reload,
    /** What is done after a change of the provider, or of how it reaches this console. */
    whenReconnected: (callback: () => Promise<void>) => void whenReconnected.push(callback),
    /** From here on every change is followed. Returns the way to stop. */
    follow(open: OpenProviders): () => Promise<void> {
      openProviders = open
      const handle = (topics: ReadonlySet<string>) => {
        if (topics.has('settings'))
          hear().catch((error: unknown) => ctx.log.error({ err: error }, 'the new provider could not be used'))
      }
      const unsubscribe = ctx.changes.subscribe(handle)
      // What was changed before anybody listened.
      ctx.changes.tell('settings')
      return async () => {
        unsubscribe()
        await last
      }
    },
  }
}
