import type { AppContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { findKeys, insertKeys } from './queries.ts'

type VapidKeys = { publicKey: string; privateKey: string }

/** Most consoles send no push; the library is loaded by those that do. */
export const loadWebPush = async () => (await import('web-push')).default

/** What browsers were subscribed with. Made once, when the first one asks; of two that ask at once one makes them. */
export async function ensureKeys(ctx: AppContext): Promise<VapidKeys> {
  const box = await ctx.instance(createSecretBox)
  const kept = (await findKeys(ctx)) ?? (await make(ctx, box.seal))
  const privateKey = box.open(kept.sealed)
  if (privateKey === null)
    throw new AppError('conflict', 'Browser push keys are unreadable: encrypted with another SECRETS_KEY')
  return { publicKey: kept.public_key, privateKey }
}

async function make(ctx: AppContext, seal: (text: string) => string) {
  const { generateVAPIDKeys } = await loadWebPush()
  const { publicKey, privateKey } = generateVAPIDKeys()
  await insertKeys(ctx, { public_key: publicKey, sealed: seal(privateKey), created_at: new Date(ctx.clock()) })
  const kept = await findKeys(ctx)
  if (!kept) throw new Error('the keys of browser push were not kept')
  return kept
}
