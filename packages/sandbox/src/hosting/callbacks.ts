import { randomUUID } from 'node:crypto'
import { type Build, isOpen, type Line } from './build.ts'
import { signatureOf } from './signature.ts'

type Told = { build: Build; from: number; lines: Line[]; url: string }
type Options = { secretOf: (label: string) => string; wallNow: () => number }

const retryMs = [1000, 3000, 10_000]
const answerWithinMs = 5000
const second = 1000

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })

/** Tells whoever started a build how it goes: one call after the other, each until it is taken or given up. */
export function createCallbacks({ secretOf, wallNow }: Options) {
  const stopping = new AbortController()
  const chains = new Map<string, Promise<void>>()
  const held = new Map<string, string>()
  /** The receiver wants to hear no more of these. */
  const unwanted = new Set<string>()

  async function post(address: string, body: string, secret: string): Promise<number | null> {
    const timestamp = String(Math.floor(wallNow() / second))
    try {
      const response = await fetch(address, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'x-deploy-timestamp': timestamp,
          'x-deploy-signature': signatureOf(secret, timestamp, body),
        },
        body,
        signal: AbortSignal.any([AbortSignal.timeout(answerWithinMs), stopping.signal]),
      })
      await response.body?.cancel()
      return response.status
    } catch {
      return null
    }
  }

  async function deliver(build: Build, body: string): Promise<void> {
    const address = build.callback_url
    if (address === null || unwanted.has(build.build_id)) return
    const secret = build.fault === 'wrong_signature' ? 'not-the-secret' : secretOf(build.label)
    for (const pause of [0, ...retryMs]) {
      await wait(pause, stopping.signal)
      if (stopping.signal.aborted) return
      const status = await post(address, body, secret)
      if (status === 410) unwanted.add(build.build_id)
      if (status === 410 || (status !== null && status >= 200 && status < 300)) break
    }
    if (build.fault === 'twice') await post(address, body, secret)
  }

  function tell({ build, from, lines, url }: Told): void {
    if (build.callback_url === null || build.fault === 'no_callback') return
    const { build_id, deployment_id, sequence, status, reason, commit } = build
    const at = new Date(wallNow()).toISOString()
    const log = { from, lines }
    const event = {
      event_id: `evt_${randomUUID()}`,
      build_id,
      deployment_id,
      sequence,
      status,
      at,
      reason,
      url,
      commit,
      log,
    }
    const body = JSON.stringify(event)
    // Held back until the next one was told.
    if (build.fault === 'out_of_order' && sequence % 2 === 0 && isOpen(build)) return void held.set(build_id, body)
    const late = held.get(build_id)
    held.delete(build_id)
    const before = chains.get(build_id) ?? Promise.resolve()
    const chain = before.then(() => deliver(build, body)).then(() => (late ? deliver(build, late) : undefined))
    chains.set(build_id, chain)
    void chain.then(() => {
      if (chains.get(build_id) === chain) chains.delete(build_id)
    })
  }

  return { tell, stop: () => stopping.abort() }
}

export type Callbacks = ReturnType<typeof createCallbacks>
