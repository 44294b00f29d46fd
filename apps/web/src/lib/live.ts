import * as events from '@agency/contract/descriptors/events'
import { send } from './api.ts'
import { eventsOf, type StreamEvent } from './event-stream.ts'

export type LiveState = 'connecting' | 'open' | 'down'
type Message = { topics: string[] } | { resync: true } | { state: LiveState } | { ask: 'state' }

type Handlers = {
  onTopics: (topics: readonly string[]) => void
  /** Changes may have been missed: everything shown is to be read again. */
  onResync: () => void
  onState: (state: LiveState) => void
}

const silenceMs = 45_000
const firstDelayMs = 1000
const longestDelayMs = 30_000

/**
 * Follows the server's changes. One tab holds the stream and passes it on to the others: a browser opens only six
 * connections to a host, and a stream per tab would stop the seventh tab from loading at all.
 */
export function followChanges(handlers: Handlers): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const channel = new BroadcastChannel('agency.live')
  let state: LiveState = 'connecting'
  let leads = false
  let joined = false

  const handle = (message: Message) => {
    if ('topics' in message) handlers.onTopics(message.topics)
    else if ('resync' in message) handlers.onResync()
    else if ('state' in message) {
      state = message.state
      handlers.onState(state)
      // Another tab's stream was open before this tab listened, and may have told what this one did not hear.
      if (!leads && !joined && state === 'open') {
        joined = true
        handlers.onResync()
      }
    } else if (leads) channel.postMessage({ state })
  }
  const tell = (message: Message) => {
    handle(message)
    if (!signal.aborted) channel.postMessage(message)
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => handle(data)

  const lead = async () => {
    leads = true
    await keepStream(tell, signal)
  }
  // Locks exist on https and localhost only; elsewhere each tab has its own stream.
  if (navigator.locks) {
    channel.postMessage({ ask: 'state' })
    navigator.locks.request('agency.live', { signal }, lead).catch(() => {})
  } else {
    void lead()
  }
  return () => {
    controller.abort()
    channel.close()
  }
}

async function keepStream(tell: (message: Message) => void, signal: AbortSignal): Promise<void> {
  let lastEventId = ''
  let delay = firstDelayMs
  // What is shown was read before the stream was open: a change in between would never be told.
  let missed = true
  while (!signal.aborted) {
    try {
      await readStream(lastEventId, signal, (event) => {
        if (event === 'open') {
          tell({ state: 'open' })
          if (missed) tell({ resync: true })
          missed = false
          delay = firstDelayMs
        } else {
          lastEventId = event.id || lastEventId
          if (event.type === 'changes') tell({ topics: topicsOf(event.data) })
        }
      })
    } catch {
      // Whatever ended it, the answer is the same: wait and try again.
    }
    if (signal.aborted) return
    tell({ state: 'down' })
    missed = true
    await pause(delay * (0.75 + Math.random() / 2), signal)
    delay = Math.min(delay * 2, longestDelayMs)
  }
}

async function readStream(
  lastEventId: string,
  outer: AbortSignal,
  onEvent: (event: 'open' | StreamEvent) => void,
): Promise<void> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  outer.addEventListener('abort', abort)
  // The server says something every 15 s; a connection that died without a word is noticed by its silence.
  let watchdog = setTimeout(abort, silenceMs)
  const heard = () => {
    clearTimeout(watchdog)
    watchdog = setTimeout(abort, silenceMs)
  }
  try {
    const response = await send(events.openEventStream, {}, { signal: controller.signal, lastEventId })
    heard()
    onEvent('open')
    if (response.body) for await (const event of eventsOf(response.body, heard)) onEvent(event)
  } finally {
    clearTimeout(watchdog)
    outer.removeEventListener('abort', abort)
    controller.abort()
  }
}

function topicsOf(data: string): string[] {
  try {
    const { topics } = JSON.parse(data) as { topics?: unknown }
    return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : []
  } catch {
    return []
  }
}

/** Waits, but no longer than until the browser says that it is online again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
}
