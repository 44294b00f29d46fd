import * as deployments from '@agency/contract/descriptors/deployments'
import { useEffect, useMemo, useState } from 'react'
import { call, send } from '../../../lib/api.ts'
import { eventsOf } from '../../../lib/event-stream.ts'
import { createLogStore, type LogPage, type LogStore } from './log-store.ts'
import type { FindLines } from './use-log-search.ts'

const firstDelayMs = 1000
const longestDelayMs = 15_000

/** The log of a deployment: read where it is looked at, and told of new lines while they come. */
export function useDeploymentLog(id: string): { log: LogStore; find: FindLines; isInterrupted: boolean } {
  const [isInterrupted, setInterrupted] = useState(false)
  const { log, find } = useMemo(() => {
    const params = { id }
    return {
      log: createLogStore((after, limit, signal) =>
        call(deployments.readDeploymentLog, { params, query: { after, limit } }, { signal }),
      ),
      find: (search: string, signal: AbortSignal) =>
        call(deployments.findLogMatches, { params, query: { search } }, { signal }),
    }
  }, [id])

  useEffect(() => {
    const controller = new AbortController()
    log.want(1, 1)
    void followLines(id, log, controller.signal, setInterrupted)
    return () => {
      controller.abort()
      log.stop()
    }
  }, [id, log])
  return { log, find, isInterrupted }
}

/** Holds the stream open until the log is complete, and goes on where it broke off. */
async function followLines(
  id: string,
  log: LogStore,
  signal: AbortSignal,
  onInterrupted: (isInterrupted: boolean) => void,
): Promise<void> {
  let delay = firstDelayMs
  await firstAnswer(log, signal)
  while (!signal.aborted && !log.state().complete) {
    const broke = await readStream(id, log, signal, () => {
      delay = firstDelayMs
      onInterrupted(false)
    }).then(
      () => false,
      () => true,
    )
    if (signal.aborted || log.state().complete) break
    if (broke) onInterrupted(true)
    await pause(delay, signal)
    delay = Math.min(delay * 2, longestDelayMs)
  }
  if (!signal.aborted) onInterrupted(false)
}

async function readStream(id: string, log: LogStore, signal: AbortSignal, onOpen: () => void): Promise<void> {
  const after = log.state().total ?? 0
  const response = await send(deployments.streamDeploymentLog, { params: { id }, query: { after } }, { signal })
  if (!response.body) return
  onOpen()
  for await (const event of eventsOf(response.body)) {
    if (event.type === 'lines') log.take(JSON.parse(event.data) as LogPage)
    if (event.type === 'end') log.take({ lines: [], total: log.state().total ?? 0, complete: true })
  }
}

/** How many lines there are says where the stream begins. */
function firstAnswer(log: LogStore, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      if (log.state().total === undefined && !signal.aborted) return
      leave()
      signal.removeEventListener('abort', settle)
      resolve()
    }
    const leave = log.subscribe(settle)
    signal.addEventListener('abort', settle)
    settle()
  })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
