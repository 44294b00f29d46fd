import { timingSafeEqual } from 'node:crypto'
import type { AppContext, RequestContext } from '../../../context.ts'
import { inTransaction } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { markReadBy } from '../../notifications/index.ts'
import { noticeKey } from '../tell-maker.ts'
import { needKindsPermission } from './kinds-permission.ts'
import { getOwn } from './own-exports.ts'

const livesMs = 10 * 60_000
const purpose = 'export link'

export type SignedLink = { id: string; expires: string; maker: string; signature: string }

async function signatureOf(ctx: AppContext, { id, expires, maker }: Omit<SignedLink, 'signature'>): Promise<string> {
  return (await ctx.instance(createSecretBox)).sign(purpose, JSON.stringify([id, expires, maker]))
}

/** Compared as it is written: many ways to write the same bytes would be as many links. */
export async function isSigned(ctx: AppContext, link: SignedLink): Promise<boolean> {
  const [given, right] = [Buffer.from(link.signature), Buffer.from(await signatureOf(ctx, link))]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** A link for whoever asks, not for whoever made the export: it dies with the permission of the one who passed it on. */
export async function makeLink(ctx: RequestContext, id: string): Promise<{ url: string; expires_at: string }> {
  const { kind, title, format, state, permission } = await getOwn(ctx, id)
  await needKindsPermission(ctx, permission, { action: 'export.link', id })
  if (state !== 'ready') throw new AppError('conflict', `There is no file: the export is ${state}`)
  const { type, id: actorId } = ctx.actor
  const until = ctx.clock() + livesMs
  const link = { id, expires: String(until), maker: `${type}:${actorId}` }
  const signature = await signatureOf(ctx, link)
  await inTransaction(ctx, async (tx) => {
    await recordAudit(tx, { action: 'export.link', resource: 'export', id, after: { kind, title, format } })
    await markReadBy(tx, noticeKey(id))
  })
  const query = new URLSearchParams({ expires: link.expires, maker: link.maker, signature })
  return { url: `/api/exports/${id}/file?${query}`, expires_at: new Date(until).toISOString() }
}
