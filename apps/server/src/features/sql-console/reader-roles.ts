import type { AppContext } from '../../context.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { ensureRoles, type RoleNames } from './queries/roles.ts'
import { passwordsOf } from './roles-script.ts'

type Ready = { names: RoleNames; passwordOf: (role: string) => string }

/** The roles that queries run as: made, or found, before the first one of this process. */
export function createRoles(ctx: AppContext): () => Promise<Ready> {
  let ready: Promise<Ready> | undefined
  const prepare = async (): Promise<Ready> => {
    const passwordOf = passwordsOf(await ctx.instance(createSecretBox))
    return { names: await ensureRoles(ctx.pool, passwordOf), passwordOf }
  }
  return () => {
    ready ??= prepare().catch((error: unknown) => {
      ready = undefined
      throw error
    })
    return ready
  }
}
