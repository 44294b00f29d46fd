import type { Theme } from '@agency/contract/auth'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { saveTheme } from '../queries/people.ts'
import { getSelf } from './passwords.ts'

export async function setTheme(ctx: RequestContext, theme: Theme): Promise<{ theme: Theme }> {
  const { id } = await getSelf(ctx)
  await inTransaction(ctx, (tx) => saveTheme(tx, id, theme))
  return { theme }
}
