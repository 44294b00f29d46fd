import type { SteeringChange } from './cloudflare/steering.ts'
import type { Fault, FaultEffect, FaultMatch, Provider, WebhookFaults } from './faults.ts'
import type { StripeAddress } from './options.ts'
import type { RequestLogEntry } from './request-log.ts'

/** Steers a sandbox that runs elsewhere, over its own port. */
export type RemoteControl = {
  scenario(name: string, input?: Record<string, unknown>): Promise<Record<string, unknown>>
  dump(kind: string): Promise<Record<string, unknown>[]>
  advance(ms: number): Promise<void>
  deliver(): Promise<number>
  fault(match: FaultMatch, effect: FaultEffect, times?: number | null, provider?: Provider): Promise<number>
  faults(): Promise<Fault[]>
  clearFaults(): Promise<void>
  webhooks(change: Partial<WebhookFaults>): Promise<void>
  resetWebhooks(): Promise<void>
  redeliver(event: string): Promise<void>
  rollSecret(endpoint: string, expiresInMs: number): Promise<string>
  requests(): Promise<RequestLogEntry[]>
  outage(ms: number, provider?: Provider): Promise<void>
  /** Changes how Cloudflare behaves from now on. */
  cloudflare(change: SteeringChange): Promise<void>
  crash(): Promise<void>
}

export function remoteControl({ baseUrl, secretKey }: Pick<StripeAddress, 'baseUrl' | 'secretKey'>): RemoteControl {
  async function call<T>(method: string, path: string, input?: unknown): Promise<T> {
    const response = await fetch(`${baseUrl}/_sandbox${path}`, {
      method,
      headers: { authorization: `Bearer ${secretKey}`, connection: 'close' },
      ...(input === undefined ? {} : { body: JSON.stringify(input) }),
    })
    const body = (await response.json()) as T & { error?: string }
    if (!response.ok) throw new Error(body.error ?? `The sandbox answered ${response.status}`)
    return body
  }
  return {
    scenario: (name, input = {}) => call('POST', `/scenarios/${name}`, input),
    dump: (kind) => call('GET', `/dump/${kind}`),
    advance: async (ms) => void (await call('POST', '/advance', { ms })),
    deliver: async () => (await call<{ tried: number }>('POST', '/deliver')).tried,
    fault: async (match, effect, times = 1, provider = 'stripe') =>
      (await call<Fault>('POST', '/faults', { ...effect, provider, match, times })).id,
    faults: () => call('GET', '/faults'),
    clearFaults: async () => void (await call('DELETE', '/faults')),
    webhooks: async (change) => void (await call('POST', '/webhooks', change)),
    resetWebhooks: async () => void (await call('DELETE', '/webhooks')),
    redeliver: async (event) => void (await call('POST', '/redeliver', { event })),
    rollSecret: async (endpoint, expiresInMs) =>
      (await call<{ secret: string }>('POST', `/webhook_endpoints/${endpoint}/roll`, { expiresInMs })).secret,
    requests: () => call('GET', '/requests'),
    outage: async (ms, provider = 'stripe') => void (await call('POST', '/outage', { ms, provider })),
    cloudflare: async (change) => void (await call('POST', '/cloudflare', change)),
    crash: async () => void (await call('POST', '/crash')),
  }
}
