import { parentPort, workerData } from 'node:worker_threads'
import { startSandbox } from './index.ts'
import type { ThreadMessage, ThreadOptions } from './thread.ts'

/** Starting, and then what begins with it. */
const settledAfterMs = [10_000, 19_000, 28_000]
const collect = () => void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })

const tell = (message: ThreadMessage) => parentPort?.postMessage(message)

try {
  const sandbox = await startSandbox(workerData as ThreadOptions)
  const { stripe, cloudflare, hosting } = sandbox
  // Loading and starting leave pages that V8 lets go of after a whole collection only, which an idle sandbox does not come to.
  for (const ms of settledAfterMs) setTimeout(collect, ms).unref()
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
