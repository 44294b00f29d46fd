import { monitorEventLoopDelay } from 'node:perf_hooks'
import { childrenOf } from './main.ts'
import type { Answer, Ask, Ready } from './messages.ts'

type Handlers = { [K in Ask['do']]?: (ask: Extract<Ask, { do: K }>) => Promise<unknown> | unknown }

/** Answers the benchmark's questions in a measured process, among them the delay of its event loop. */
export function answerTheBenchmark(handlers: Handlers, ready: string): void {
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const all: Handlers = {
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
