import { open } from 'node:fs/promises'
import { isPermission } from '@agency/contract/permissions'
import { type Actor, type AppContext, inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { sendPlainPage } from '../../../platform/http/plain-page.ts'
import { createRequestLimit, windowMs } from '../../../platform/http/request-limit.ts'
import { type Reply, type Request, streamed } from '../../../platform/http/routes.ts'
import { permissionsNow } from '../../auth/index.ts'
import { filePath } from '../files.ts'
import { type ExportRow, findExport } from '../queries/exports.ts'
import { isSigned, type SignedLink } from './link.ts'

const perMinute = 30
const createLimit = ({ clock }: AppContext) => createRequestLimit(clock, perMinute)

/** Sends the file, or says why not: as a page to a browser that followed the link, as a problem to a program. */
export async function download(ctx: RequestContext, link: SignedLink, request: Request, reply: Reply) {
  try {
    return await send(ctx, link, reply)
  } catch (error) {
    const wantsPage = request.headers.accept?.includes('text/html')
    if (!(error instanceof AppError) || !wantsPage) throw error
    if (error.extras.retryAfter !== undefined) reply.header('retry-after', String(error.extras.retryAfter))
    sendPlainPage(reply, {
      ...{ status: error.status, company: ctx.config.settings.companyName, title: 'No file for this link' },
      paragraphs: [error.message],
      link: { href: '/admin/reports?tab=exports', text: 'Open Exports' },
    })
    return streamed
  }
}

async function send(ctx: RequestContext, link: SignedLink, reply: Reply): Promise<typeof streamed> {
  if (!ctx.instance(createLimit)(ctx.address ?? ''))
    throw new AppError('too_many_requests', 'Too many downloads from your address. Try again in a minute.', {
      retryAfter: windowMs / 1000,
    })
  const row = await checked(ctx, link)
  const file = await open(filePath(ctx, row.id)).catch(() => {
    throw new AppError('unavailable', 'The file is not on this server. Export it again.')
  })
  try {
    const { size } = await file.stat()
    if (size !== row.bytes) throw new AppError('unavailable', 'The file was damaged on disk. Export it again.')
    const { id, kind, title, format, bytes } = row
    const after = { kind, title, format, bytes, link_of: link.maker }
    await inTransaction(ctx, (tx) => recordAudit(tx, { action: 'export.download', resource: 'export', id, after }))
  } catch (error) {
    await file.close()
    throw error
  }
  reply.headers({
    // Whatever is in it, no browser opens it in the name of the console.
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${row.file_name}"`,
    'content-length': String(row.bytes),
    'cache-control': 'no-store',
  })
  reply.send(file.createReadStream())
  return streamed
}

const isActorType = (type: string): type is Actor['type'] => ['user', 'admin_key', 'api_key'].includes(type)

/** Signed here, not too old, for a file that is there, by somebody who may still see what is in it. */
async function checked(ctx: RequestContext, link: SignedLink): Promise<ExportRow> {
  if (!(await isSigned(ctx, link)))
    throw new AppError('forbidden', 'This link is not valid. Create a new one under Exports.')
  if (Number(link.expires) <= ctx.clock())
    throw new AppError('forbidden', 'This link has expired. Create a new one under Exports.')
  const row = await findExport(ctx, link.id)
  if (row?.state !== 'ready') throw new AppError('not_found', 'The file is no longer kept. Export it again.')
  const split = link.maker.indexOf(':')
  const [type, id] = [link.maker.slice(0, split), link.maker.slice(split + 1)]
  const held = isActorType(type) ? await permissionsNow(ctx, { type, id }) : new Set<string>()
  if (!isPermission(row.permission) || !held.has(row.permission))
    throw new AppError('forbidden', 'The creator of this link lost access to this data.')
  return row
}
