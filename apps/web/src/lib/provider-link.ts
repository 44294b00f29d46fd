import type { SessionState } from '@agency/contract/types'

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]'])
const providers = ['stripe.com', 'cloudflare.com']

/**
 * An address that came from a provider, or undefined when it does not lead to a provider over https. In demo mode
 * the provider is on this machine.
 */
export function providerLink(address: string | null | undefined, mode?: SessionState['mode']): string | undefined {
  if (!address) return undefined
  try {
    const { protocol, hostname, username, port, href } = new URL(address)
    if (mode === 'demo' && protocol === 'http:' && loopback.has(hostname) && !username) return href
    const isTheirs = providers.some((provider) => hostname === provider || hostname.endsWith(`.${provider}`))
    return protocol === 'https:' && isTheirs && !username && !port ? href : undefined
  } catch {
    return undefined
  }
}

type Kind = 'customers' | 'subscriptions' | 'payments' | 'invoices'

/** The object's page in the provider's own dashboard; undefined where there is no account behind the console. */
export function stripePage(state: SessionState, kind: Kind, id: string): string | undefined {
  if (!state.stripe_account) return undefined
  const mode = state.mode === 'live' ? '' : 'test/'
  return `https://dashboard.stripe.com/${mode}${kind}/${encodeURIComponent(id)}`
}
