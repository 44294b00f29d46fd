import type { deployments } from '@agency/contract'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Piece, sendDownload } from '../../../platform/http/download.ts'
import { type Call, type Reply, streamed } from '../../../platform/http/routes.ts'
import { createLogStreams } from '../log-streams.ts'
import { findLines, findLogState, findMatches, type LogState, readLines } from '../queries/log.ts'

const mostMatches = 10_000

async function getState(ctx: RequestContext, id: string): Promise<LogState> {
  const state = await findLogState(ctx.pool, id)
  if (!state) throw notFound(`Deployment ${id}`)
  return state
}

export async function readLog(
  ctx: RequestContext,
  id: string,
  { after, limit, search }: QueryOf<typeof deployments.readDeploymentLog>,
): Promise<ResponseOf<typeof deployments.readDeploymentLog>> {
  // Asked first: lines that come meanwhile are not counted, rather than counted and missing.
  const state = await getState(ctx, id)
  const lines = await findLines(ctx.pool, id, { after, limit: limit + 1, search })
  return { lines: lines.slice(0, limit), has_more: lines.length > limit, ...state }
}

export async function findInLog(ctx: RequestContext, id: string, search: string) {
  await getState(ctx, id)
  return findMatches(ctx.pool, id, search, mostMatches)
}

async function* piecesOf(ctx: RequestContext, id: string): AsyncGenerator<Piece> {
  for await (const lines of readLines(ctx.pool, id))
    yield { text: lines.map(({ text }) => `${text}\n`).join(''), rows: lines.length }
}

export async function downloadLog(ctx: RequestContext, id: string, reply: Reply): Promise<typeof streamed> {
  await getState(ctx, id)
  return sendDownload(ctx, reply, {
    fileName: `${id}.txt`,
    contentType: 'text/plain; charset=utf-8',
    pieces: piecesOf(ctx, id),
    audit: { action: 'deployment.export_log', resource: 'deployment', after: { deployment_id: id } },
  })
}

type StreamCall = Pick<
  Call<typeof deployments.streamDeploymentLog>,
  'ctx' | 'params' | 'query' | 'request' | 'reply' | 'reauthenticate'
>

/** A reader that comes back goes on after the line that it saw last. */
function startOf({ request, query }: StreamCall): number {
  const last = Number(request.headers['last-event-id'])
  return Number.isSafeInteger(last) && last > query.after ? last : query.after
}

export async function streamLog(call: StreamCall): Promise<typeof streamed> {
  const { ctx, params, reply, reauthenticate } = call
  await getState(ctx, params.id)
  ctx.instance(createLogStreams).open(reply, { id: params.id, after: startOf(call), actor: ctx.actor, reauthenticate })
  return streamed
}
