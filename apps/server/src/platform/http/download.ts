import { Readable } from 'node:stream'
import { type AppContext, inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../audit.ts'
import { AppError } from '../errors.ts'
import { type Reply, streamed } from './routes.ts'

export type Piece = { text: string; rows: number }

export type Download = {
  fileName: string
  contentType: string
  pieces: AsyncIterable<Piece>
  /** Written down before the first row leaves, and as `<action>_end` when the last one did or it was broken off. */
  audit: { action: string; resource: string; after: Record<string, unknown> }
}

type Progress = { rows: number; isComplete: boolean; isStalled: boolean }

/** Each holds a connection of the pool while it runs. */
const atOnce = 2
/** Whoever does not read for so long is gone, or holds up the others. */
const patienceMs = 60_000

const createDownloads = () => ({ running: 0 })

async function* textOf(pieces: AsyncIterable<Piece>, progress: Progress): AsyncGenerator<string> {
  for await (const { text, rows } of pieces) {
    progress.rows += rows
    yield text
  }
  progress.isComplete = true
}

/** Ends the stream when its reader takes nothing for too long. */
function watch(stream: Readable, progress: Progress): void {
  let seen = -1
  const timer = setInterval(() => {
    if (progress.rows === seen) {
      progress.isStalled = true
      stream.destroy()
    }
    seen = progress.rows
  }, patienceMs)
  stream.once('close', () => clearInterval(timer))
}

function recordEnd(ctx: RequestContext, { action, resource, after }: Download['audit'], progress: Progress) {
  const reason = progress.isStalled ? 'the reader stalled' : 'it was broken off'
  return inTransaction(ctx, (tx) =>
    recordAudit(tx, {
      action: `${action}_end`,
      resource,
      id: null,
      outcome: progress.isComplete ? 'done' : 'failed',
      after: { ...after, rows: progress.rows, ...(!progress.isComplete && { reason }) },
    }),
  )
}

/** Streams a file. Who asked for it is written down before the first row leaves. */
export async function sendDownload(ctx: RequestContext, reply: Reply, download: Download): Promise<typeof streamed> {
  const { fileName, contentType, pieces, audit } = download
  const downloads = (ctx as AppContext).instance(createDownloads)
  if (downloads.running >= atOnce)
    throw new AppError('too_many_requests', 'Other exports are running; try again when they are done', {
      retryAfter: 15,
    })
  downloads.running++
  try {
    await inTransaction(ctx, (tx) => recordAudit(tx, { ...audit, id: null }))
  } catch (error) {
    downloads.running--
    throw error
  }
  const progress: Progress = { rows: 0, isComplete: false, isStalled: false }
  const stream = Readable.from(textOf(pieces, progress), { objectMode: false })
  stream.once('close', () => {
    downloads.running--
    recordEnd(ctx, audit, progress).catch((error: unknown) => ctx.log.error({ err: error }, 'export not recorded'))
  })
  watch(stream, progress)
  reply.header('content-type', contentType).header('cache-control', 'no-store')
  reply.header('content-disposition', `attachment; filename="${fileName}"`)
  reply.send(stream)
  return streamed
}
