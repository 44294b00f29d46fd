import { Worker } from 'node:worker_threads'
import type { SandboxOptions, StripeAddress } from './options.ts'

export type SandboxThread = { stripe: StripeAddress; stop(): Promise<void> }
export type ThreadOptions = Omit<SandboxOptions, 'now'>
export type ThreadMessage = { type: 'ready'; stripe: StripeAddress } | { type: 'failed'; message: string }

/** Starts the sandbox in a thread of its own, so that its work never holds up the console's. */
export async function startSandboxThread(options: ThreadOptions): Promise<SandboxThread> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: options })
  const stripe = await new Promise<StripeAddress>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The sandbox ended before it was ready')))
    worker.once('message', (message: ThreadMessage) => {
      if (message.type === 'ready') resolve(message.stripe)
      else reject(new Error(message.message))
    })
  })
  return {
    stripe,
    stop: () =>
      new Promise((resolve) => {
        worker.once('exit', () => resolve())
        worker.postMessage('stop')
      }),
  }
}
