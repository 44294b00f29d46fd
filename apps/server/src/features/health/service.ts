import type { AppContext } from '../../context.ts'
import { within } from '../../platform/within.ts'
import { createHealthMonitor, type HealthAnswer } from './monitor.ts'
import { deleteMinutesBefore, touchMirror } from './queries.ts'

const keptMs = 8 * 24 * 60 * 60_000
const readyWithinMs = 2000

/** The newest measured state, also for the dashboard. */
export const getHealth = (ctx: AppContext): Promise<HealthAnswer> => ctx.instance(createHealthMonitor).current()

export const forgetOldMinutes = (ctx: AppContext): Promise<void> =>
  deleteMinutesBefore(ctx, new Date(ctx.clock() - keptMs))

/** Whether this process is still putting itself together: it listens before all of it runs. */
export const createStartState = () => ({ isStarting: false })

export const isStarting = (ctx: AppContext): boolean => ctx.instance(createStartState).isStarting

export function answersDatabase(ctx: AppContext): Promise<boolean> {
  return within(readyWithinMs, touchMirror(ctx)).then(
    () => true,
    () => false,
  )
}
