import type { OutgoingHttpHeaders } from 'node:http'
import type { Topic } from '@agency/contract/endpoint'
import type * as events from '@agency/contract/events'
import type { Actor, AppContext } from '../../context.ts'
import type { ChangeTopic } from '../../platform/changes.ts'
import { AppError } from '../../platform/errors.ts'
import { type Call, type Reply, streamed } from '../../platform/http/routes.ts'
import { audibleTopics } from './topics.ts'

/** A stream asks this again and again; it throws once the key is not good any more. */
export type Reauthenticate = () => Actor | Promise<Actor>

const pingEveryMs = 15_000
const checkEveryMs = 1000
const perHolder = 20

type Stream = {
  raw: Reply['raw']
  holder: string
  actor: Actor
  reauthenticate: Reauthenticate
  /** What a slow reader has not been told yet; it grows no longer than the list of topics. */
  pending: Set<Topic>
  isFull: boolean
  wasFullAtPing: boolean
}

/** The open event streams of one process. */
export function createEventStreams(ctx: AppContext) {
  const streams = new Set<Stream>()
  let timers: NodeJS.Timeout[] = []

  ctx.changes.subscribe((topics) => {
    for (const stream of streams) tell(stream, topics)
    if (topics.has('sessions')) checkAll()
  })

  function checkAll(): void {
    for (const stream of streams) void check(stream)
  }

  /** Ends the stream of a key that was revoked or has run out. While nobody can be asked, it stays. */
  async function check(stream: Stream): Promise<void> {
    try {
      stream.actor = await stream.reauthenticate()
    } catch (error) {
      if (error instanceof AppError && error.status < 500) end(stream)
    }
  }

  function ping(): void {
    for (const stream of streams) {
      // Whoever has not read for two pings does not read any more.
      if (stream.isFull && stream.wasFullAtPing) stream.raw.destroy()
      else if (!stream.isFull) write(stream, ': ping\n\n')
      stream.wasFullAtPing = stream.isFull
    }
  }

  function add(stream: Stream): void {
    const others = [...streams].filter((other) => other.holder === stream.holder)
    for (const oldest of others.slice(0, Math.max(0, others.length - perHolder + 1))) end(oldest)
    streams.add(stream)
    if (timers.length === 0) timers = [setInterval(ping, pingEveryMs), setInterval(checkAll, checkEveryMs)]
    stream.raw.once('close', () => remove(stream))
    stream.raw.on('error', () => remove(stream))
    stream.raw.on('drain', () => drained(stream))
  }

  function remove(stream: Stream): void {
    streams.delete(stream)
    if (streams.size > 0) return
    for (const timer of timers) clearInterval(timer)
    timers = []
  }

  function end(stream: Stream): void {
    remove(stream)
    stream.raw.end()
  }

  return {
    /** Takes the answer over and writes to it until its reader, its session or this process goes. */
    open(reply: Reply, actor: Actor, reauthenticate: Reauthenticate): void {
      reply.header('content-type', 'text/event-stream').header('cache-control', 'no-store')
      reply.header('x-accel-buffering', 'no')
      reply.hijack()
      reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
      const stream: Stream = {
        raw: reply.raw,
        holder: actor.sessionId ?? actor.id,
        actor,
        reauthenticate,
        pending: new Set(),
        isFull: false,
        wasFullAtPing: false,
      }
      add(stream)
      write(stream, 'retry: 2000\n\n')
    },
    closeAll(): void {
      for (const stream of streams) end(stream)
    },
    count: () => streams.size,
  }
}

function tell(stream: Stream, topics: ReadonlySet<ChangeTopic>): void {
  for (const topic of audibleTopics(topics, stream.actor.permissions)) stream.pending.add(topic)
  if (!stream.isFull) flush(stream)
}

function drained(stream: Stream): void {
  stream.isFull = false
  flush(stream)
}

function flush(stream: Stream): void {
  if (stream.pending.size === 0) return
  const data = JSON.stringify({ topics: [...stream.pending] })
  stream.pending.clear()
  write(stream, `event: changes\ndata: ${data}\n\n`)
}

function write(stream: Stream, text: string): void {
  stream.isFull = !stream.raw.write(text)
}

type StreamCall = Pick<Call<typeof events.openEventStream>, 'ctx' | 'reply' | 'reauthenticate'>

/** Keeps the answer open and tells changes in it as long as the caller's key is good. */
export async function openStream({ ctx, reply, reauthenticate }: StreamCall): Promise<typeof streamed> {
  ctx.instance(createEventStreams).open(reply, ctx.actor, reauthenticate)
  return streamed
}
