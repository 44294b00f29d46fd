import type { AppContext } from '../../context.ts'
import { findViews } from './queries/schema.ts'

/** The names of the views; they change with the console's version only. */
export function createViewNames(ctx: AppContext): () => Promise<ReadonlySet<string>> {
  let names: Promise<ReadonlySet<string>> | undefined
  return () => {
    names ??= findViews(ctx.pool)
      .then((views) => new Set(views.map(({ name }) => name)))
      .catch((error: unknown) => {
        names = undefined
        throw error
      })
    return names
  }
}
