import { parentPort, workerData } from 'node:worker_threads'
import { startSandbox } from './index.ts'
import type { ThreadMessage, ThreadOptions } from './thread.ts'

/** V8 lets go of code at the sixth collection that it was not called before. */
const settledAfterMs = [10_000, 13_000, 16_000, 19_000, 22_000, 25_000, 28_000]

const tell = (message: ThreadMessage) => parentPort?.postMessage(message)

try {
  const sandbox = await startSandbox(workerData as ThreadOptions)
  const { stripe, cloudflare, hosting } = sandbox
  // Loading and starting leave pages that V8 lets go of after a whole collection only, which an idle sandbox does not come to.
  for (const ms of settledAfterMs) setTimeout(() => globalThis.gc?.(), ms).unref()
  tell({ type: 'ready', addresses: { stripe, cloudflare, hosting } })
  parentPort?.on('message', (message) => {
    // A process that watches its files sends messages of its own.
    if (message !== 'stop') return
    // In a thread this ends the thread, whatever sockets are still open.
    void sandbox.stop().finally(() => process.exit(0))
  })
} catch (error) {
  tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
}
