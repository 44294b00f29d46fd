import { subscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { childrenOf } from './main.ts'
import type { Answer, Ask, Ready } from './messages.ts'

type Handlers = { [K in Ask['do']]?: (ask: Extract<Ask, { do: K }>) => Promise<unknown> | unknown }

/** What the process itself takes for its calls, in ms: from the head that was read to the answer that was given away. */
function timeCalls() {
  const begun = new WeakMap<ServerResponse, number>()
  const took = createHistogram()
  subscribe('http.server.request.start', (message) => {
    begun.set((message as { response: ServerResponse }).response, performance.now())
  })
  subscribe('http.server.response.finish', (message) => {
    const start = begun.get((message as { response: ServerResponse }).response)
    if (start !== undefined) took.record(Math.max(1, Math.round((performance.now() - start) * 1e6)))
  })
  return { reset: () => took.reset(), p99: () => took.percentile(99) / 1e6 }
}

/** Answers the benchmark's questions in a measured process, among them the delay of its event loop. */
export function answerTheBenchmark(handlers: Handlers, ready: string): void {
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  let calls: ReturnType<typeof timeCalls> | undefined
  const all: Handlers = {
    'reset-calls': () => {
      calls ??= timeCalls()
      calls.reset()
    },
    'read-calls': () => calls?.p99(),
    'reset-loop': () => loop.reset(),
    // The histogram counts from the timer's own interval of 1 ms.
    'read-loop': () => ({ p99: Math.max(0, loop.percentile(99) / 1e6 - 1), max: loop.max / 1e6 }),
    memory: () => process.memoryUsage().rss,
    children: () => childrenOf(process.pid).length,
    ...handlers,
  }
  process.on('message', async (ask: Ask) => {
    const answer: Answer = { id: ask.id, value: null }
    try {
      answer.value = await (all[ask.do] as (ask: Ask) => unknown)(ask)
    } catch (error) {
      answer.error = String(error)
    }
    process.send?.(answer)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ ready } satisfies Ready)
}
