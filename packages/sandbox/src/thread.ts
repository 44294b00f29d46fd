import { Worker } from 'node:worker_threads'
import type { SandboxAddresses, SandboxOptions } from './options.ts'

export type SandboxThread = SandboxAddresses & { stop(): Promise<void> }
export type ThreadOptions = Omit<SandboxOptions, 'now'>
export type ThreadMessage = { type: 'ready'; addresses: SandboxAddresses } | { type: 'failed'; message: string }

const restartMs = 500

async function spawn(options: ThreadOptions): Promise<{ worker: Worker; addresses: SandboxAddresses }> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: options })
  const addresses = await new Promise<SandboxAddresses>((resolve, reject) => {
    // Stays attached: an error without a listener would end the console.
    worker.on('error', reject)
    worker.once('exit', () => reject(new Error('The sandbox ended before it was ready')))
    worker.on('message', (message: Partial<ThreadMessage>) => {
      if (message.type === 'ready' && message.addresses) resolve(message.addresses)
      else if (message.type === 'failed') reject(new Error(message.message))
    })
  })
  return { worker, addresses }
}

/**
 * Starts the sandbox in a thread of its own, so that its work never holds up the console's. A thread that dies is
 * started again at the same address; the world is in the database.
 */
export async function startSandboxThread(options: ThreadOptions): Promise<SandboxThread> {
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let { worker, addresses } = await spawn(options)
  const { stripe, cloudflare } = addresses
  const again = {
    ...options,
    port: stripe.port,
    secretKey: stripe.secretKey,
    cloudflare: {
      ...options.cloudflare,
      port: Number(new URL(cloudflare.baseUrl).port),
      apiToken: cloudflare.apiToken,
    },
  }
  const watch = () => {
    worker.once('exit', () => {
      if (!stopping) retry()
    })
  }
  const retry = () => {
    timer = setTimeout(() => {
      spawn(again).then(
        (next) => {
          worker = next.worker
          watch()
          if (stopping) worker.postMessage('stop')
        },
        () => (stopping ? undefined : retry()),
      )
    }, restartMs)
  }
  watch()
  return {
    ...addresses,
    stop: () =>
      new Promise((resolve) => {
        stopping = true
        clearTimeout(timer)
        if (worker.threadId < 0) return resolve()
        worker.once('exit', () => resolve())
        worker.postMessage('stop')
      }),
  }
}
