import { randomUUID } from 'node:crypto'
import type { Caller } from '../../../../test/request.ts'

type Sent = { caller: Caller; path: string; body?: unknown }

/** One call of every endpoint of routes that changes something, ready to succeed. */
export function routeSamples(root: () => Caller): Record<string, () => Promise<Sent>> {
  const channel = async (): Promise<string> => {
    const body = { kind: 'mail', name: randomUUID(), target: 'ops@example.com' }
    return (await root().post('/channels', body)).json().channel.id
  }
  const route = async (): Promise<string> =>
    (await root().post('/notification-routes', { channel_id: await channel() })).json().route.id
  const sent = (path: string, body: unknown = {}): Sent => ({ caller: root(), path, body })

  return {
    createRoute: async () => sent('/notification-routes', { channel_id: await channel() }),
    updateRoute: async () => sent(`/notification-routes/${await route()}`, { version: 1, min_severity: 'critical' }),
    deleteRoute: async () => ({ caller: root(), path: `/notification-routes/${await route()}` }),
  }
}
