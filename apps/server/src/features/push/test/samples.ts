import { randomUUID } from 'node:crypto'
import type { Caller } from '../../../../test/request.ts'
import { makeBrowser } from './browser.ts'

type Sent = { caller: Caller; path: string; body?: unknown }

/** One call of every endpoint of browser push that changes something, ready to succeed. */
export function pushSamples(root: () => Caller): Record<string, () => Promise<Sent>> {
  // Nothing listens there: what becomes of a test is told, and no failure of the call.
  const body = () => ({ endpoint: `https://push.invalid/${randomUUID()}`, keys: makeBrowser().keys })
  const subscription = async (): Promise<string> =>
    (await root().post('/push/subscriptions', body())).json().subscription.id
  return {
    subscribePush: async () => ({ caller: root(), path: '/push/subscriptions', body: body() }),
    unsubscribePush: async () => ({ caller: root(), path: `/push/subscriptions/${await subscription()}` }),
    testPush: async () => ({ caller: root(), path: `/push/subscriptions/${await subscription()}/test`, body: {} }),
  }
}
