import type { Store } from '../store/store.ts'
import { runDue } from '../stripe/rules/dues.ts'

export type Engine = {
  /** World time in milliseconds. */
  now(): number
  /** Lets everything happen that is due by now. */
  tick(): Promise<void>
  advance(ms: number): Promise<void>
  /** Resolves when nothing is being worked on. */
  idle(): Promise<void>
}

const perTransaction = 25

/** The world's clock: the wall's, plus what it was moved ahead. */
export async function createEngine(store: Store, wallNow: () => number): Promise<Engine> {
  let offset = (await store.state())?.clockOffset ?? 0
  const now = () => wallNow() + offset

  async function some(until: number): Promise<boolean> {
    if (!(await store.nextDue(until))) return false
    return await store.write({ now: until, wallNow: wallNow() }, async (world, unit) => {
      for (let done = 0; done < perTransaction; done++) {
        await unit.flush()
        const due = await store.nextDueIn(unit, until)
        if (!due) return false
        world.unschedule(due.kind, due.ref)
        world.now = due.at
        await runDue(world, due)
      }
      return true
    })
  }

  let running: Promise<void> = Promise.resolve()
  const tick = async () => {
    const until = Math.floor(now() / 1000)
    while (await some(until));
  }
  const queued = (work: () => Promise<void>) => {
    running = running.catch(() => undefined).then(work)
    return running
  }
  return {
    now,
    tick: () => queued(tick),
    idle: () => running.catch(() => undefined),
    advance: (ms) =>
      queued(async () => {
        if (!Number.isFinite(ms) || ms < 0) throw new Error('The clock only moves ahead')
        const ahead = offset + Math.round(ms)
        await store.setClockOffset(ahead)
        offset = ahead
        await tick()
      }),
  }
}
