import type { OutgoingHttpHeaders } from 'node:http'
import type { Actor, AppContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import type { Reply } from '../../platform/http/routes.ts'
import { findLogState, findUntoldLines } from './queries/log.ts'

type Opening = { id: string; after: number; actor: Actor; reauthenticate: () => Actor | Promise<Actor> }
type Stream = Opening & {
  raw: Reply['raw']
  holder: string
  isReading: boolean
  isDue: boolean
  isOver: boolean
  /** Late lines that it was given. */
  told: Set<number>
}

const pageLines = 1000
const pingEveryMs = 15_000
const checkEveryMs = 2000
const perHolder = 10

const drained = (raw: Reply['raw']): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      raw.off('drain', done).off('close', done)
      resolve()
    }
    raw.on('drain', done).on('close', done)
  })

/** The readers of build logs in one process: each gets what it does not have, at its own pace. */
export function createLogStreams(ctx: AppContext) {
  const streams = new Set<Stream>()
  let timers: NodeJS.Timeout[] = []

  ctx.changes.subscribe((topics) => {
    if (topics.has('deployment_log') || topics.has('deployments')) for (const stream of streams) read(stream)
    if (topics.has('sessions')) for (const stream of streams) void check(stream)
  })

  function remove(stream: Stream): void {
    stream.isOver = true
    streams.delete(stream)
    if (streams.size > 0) return
    for (const timer of timers) clearInterval(timer)
    timers = []
  }

  function end(stream: Stream): void {
    remove(stream)
    stream.raw.end()
  }

  async function check(stream: Stream): Promise<void> {
    try {
      const actor = await stream.reauthenticate()
      if (!actor.permissions.has('sites.read')) end(stream)
    } catch (error) {
      if (error instanceof AppError && error.status < 500) end(stream)
    }
  }

  /** Writes what is new; answers whether there is more at once. */
  async function step(stream: Stream): Promise<boolean> {
    const state = await findLogState(ctx.pool, stream.id)
    if (!state || stream.isOver) return false
    const { after, told } = stream
    const found = await findUntoldLines(ctx.pool, stream.id, { after, told, limit: pageLines })
    const lines = found.map(({ is_late, ...line }) => {
      if (is_late) told.add(line.number)
      return line
    })
    const last = lines.at(-1)
    if (last) {
      stream.after = Math.max(after, last.number)
      const data = JSON.stringify({ lines, total: state.total, complete: state.complete })
      if (!stream.raw.write(`id: ${stream.after}\nevent: lines\ndata: ${data}\n\n`)) await drained(stream.raw)
    }
    if (lines.length >= pageLines) return true
    if (state.complete && stream.after >= state.total) {
      stream.raw.write(`event: end\ndata: ${JSON.stringify({ total: state.total })}\n\n`)
      end(stream)
    }
    return false
  }

  async function readAll(stream: Stream): Promise<void> {
    try {
      while (stream.isDue && !stream.isOver) {
        stream.isDue = false
        if (await step(stream)) stream.isDue = true
      }
    } catch (error) {
      ctx.log.warn({ err: error, deployment: stream.id }, 'a log could not be read for its reader')
    }
  }

  function read(stream: Stream): void {
    stream.isDue = true
    if (stream.isReading) return
    stream.isReading = true
    void readAll(stream).finally(() => {
      stream.isReading = false
    })
  }

  function ping(): void {
    for (const stream of streams) {
      if (stream.raw.writableNeedDrain) stream.raw.destroy()
      else stream.raw.write(': ping\n\n')
      read(stream)
    }
  }

  function add(stream: Stream): void {
    const others = [...streams].filter(({ holder }) => holder === stream.holder)
    for (const oldest of others.slice(0, Math.max(0, others.length - perHolder + 1))) end(oldest)
    streams.add(stream)
    if (timers.length === 0)
      timers = [
        setInterval(ping, pingEveryMs),
        setInterval(() => {
          for (const open of streams) void check(open)
        }, checkEveryMs),
      ]
    stream.raw.once('close', () => remove(stream))
    stream.raw.on('error', () => remove(stream))
  }

  return {
    open(reply: Reply, opening: Opening): void {
      reply.header('content-type', 'text/event-stream').header('cache-control', 'no-store')
      reply.header('x-accel-buffering', 'no')
      reply.hijack()
      reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
      const holder = opening.actor.sessionId ?? opening.actor.id
      const stream: Stream = {
        ...{ ...opening, raw: reply.raw, holder, told: new Set() },
        ...{ isReading: false, isDue: false, isOver: false },
      }
      add(stream)
      stream.raw.write('retry: 2000\n\n')
      read(stream)
    },
    closeAll(): void {
      for (const stream of streams) end(stream)
    },
  }
}
