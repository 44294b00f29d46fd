import type { AppContext } from '../../context.ts'
import type { ObjectStore } from '../../integrations/s3/gateway.ts'
import { removeFiles } from './files.ts'

type Ctx = Pick<AppContext, 'config' | 'log'>

/** By the id, as in the data folder. */
export const keyInStore = (id: string): string => `${id}.backup`

/** null: none is set. */
export async function storeOf({ config }: Pick<AppContext, 'config'>): Promise<ObjectStore | null> {
  if (!config.s3) return null
  const { openStore } = await import('../../integrations/s3/client.ts')
  return openStore(config.s3)
}

/** Of a backup that is no longer listed. What the store keeps all the same cannot be opened without the key. */
export async function removeEverywhere(ctx: Ctx, id: string): Promise<void> {
  await removeFiles(ctx, id)
  try {
    await (await storeOf(ctx))?.remove(keyInStore(id))
  } catch (error) {
    ctx.log.warn({ err: error, backup: id }, 'a deleted backup is still in the store')
  }
}
