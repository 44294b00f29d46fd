import { ApiError } from '../../lib/problems.ts'
import { checkSession } from '../../lib/session.ts'

/** A step that was taken already, in another tab, is no failure: the sign-in goes on from where it is. */
export async function orCheckAgain(step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error
    await checkSession()
  }
}
