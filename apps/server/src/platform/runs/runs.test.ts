import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { asSystem, inTransaction, type RequestContext } from '../../context.ts'
import { advance, ifStill, whileIdle } from './advance.ts'
import { beginRun, cancelRun, keepPayload, retryRun, wakeRun } from './change.ts'
import { type DurableRun, durableRun, keyOf, type Later, type Outcome } from './durable-run.ts'
import { runJobs } from './jobs.ts'
import { findRun, findRuns, lockRun, overtakeTries, type RunRow, type RunWithSteps, type StepRow } from './queries.ts'

const name = 'test.made-up'

let t: TestContext
let ctx: RequestContext
beforeAll(async () => {
  t = await createTestContext()
  ctx = asSystem(t.ctx, 'job', name)
})
afterAll(() => t?.close())

type Handle = (run: RunRow, step: StepRow) => Promise<Outcome | Later> | Outcome | Later
const done: Handle = () => ({ state: 'done' })

function made(first: Handle, more: Partial<DurableRun> = {}): DurableRun {
  return durableRun({
    name,
    steps: {
      first: (_ctx, run, step) => first(run, step),
      second: () => ({ state: 'skipped', note: 'Nothing to do' }),
    },
    topics: ['sites'],
    judge: (error) => ({ reason: (error as Error).message }),
    mostTries: 3,
    failed: async () => {},
    ...more,
  })
}

let count = 0
async function begin(tries = 0): Promise<{ id: string; subject: string }> {
  const [id, subject] = [`run-${++count}`, `subject-${count}`]
  const steps = ['first', 'second'].map((step) => ({ name: step, target: null, payload: {} }))
  await inTransaction(ctx, (tx) =>
    beginRun(tx, { id, name, kind: 'made up', subject, topic: 'sites', options: { of: 'its own' }, steps, tries }),
  )
  return { id, subject }
}

async function runOf(id: string): Promise<RunWithSteps> {
  const run = await findRun(t.ctx.db, id)
  if (!run) throw new Error(`There is no run ${id}`)
  return run
}
const statesOf = ({ state, steps }: RunWithSteps): string[] => [state, ...steps.map((step) => step.state)]

function failing(): { calls: () => number; handle: Handle } {
  let calls = 0
  const handle: Handle = () => {
    calls++
    throw new Error('Out')
  }
  return { calls: () => calls, handle }
}

test('does its steps in order, and records an outcome together with what it leaves behind', async () => {
  const { id, subject } = await begin()
  expect(statesOf(await runOf(id))).toEqual(['waiting', 'waiting', 'waiting'])
  let isFirst = true
  const definition = made(() => ({
    state: 'done',
    async record(tx) {
      await keepPayload(tx, (await runOf(id)).steps[1]!, { left: 'behind' })
      if (isFirst) {
        isFirst = false
        throw new Error('The record failed')
      }
    },
  }))
  await advance(ctx, definition, subject)
  expect(statesOf(await runOf(id))).toEqual(['running', 'running', 'waiting'])
  expect((await runOf(id)).steps[1]).toMatchObject({ payload: {} })
  await advance(ctx, definition, subject)
  expect(statesOf(await runOf(id))).toEqual(['done', 'done', 'skipped'])
  expect((await runOf(id)).steps).toMatchObject([
    { attempts: 2, note: null },
    { payload: { left: 'behind' }, note: 'Nothing to do' },
  ])
  expect(await findRuns(t.ctx.db, name, subject, 5)).toMatchObject([{ id, tries: 0, next_try_at: null }])
})

test('waits longer after each try, fails after the last, says so, and can be tried again', async () => {
  const { id, subject } = await begin()
  const told: string[] = []
  const { calls, handle } = failing()
  const definition = made(handle, {
    postponed: async (_tx, _run, { tries, reason }) => void told.push(`${tries} ${reason}`),
    failed: async (_tx, _run, step, reason) => void told.push(`${step.name} ${reason}`),
  })
  const pauses: number[] = []
  for (let tries = 0; tries < 2; tries++) {
    const from = t.ctx.clock()
    await advance(ctx, definition, subject)
    pauses.push(Math.round(((await runOf(id)).next_try_at!.getTime() - from) / 1000))
  }
  expect(pauses).toEqual([5, 10])
  expect((await runOf(id)).steps[0]?.note).toBe('Out. Retrying automatically.')
  await advance(ctx, definition, subject)
  expect(statesOf(await runOf(id))).toEqual(['failed', 'failed', 'waiting'])
  expect(told).toEqual(['1 Out', '2 Out', 'first Out'])
  await advance(ctx, definition, subject)
  expect(calls()).toBe(3)
  await inTransaction(ctx, async (tx) => retryRun(tx, (await lockRun(tx.db, id))!))
  await advance(ctx, made(done), subject)
  expect(statesOf(await runOf(id))).toEqual(['done', 'done', 'skipped'])
})

test('keeps the key of a step until the provider has kept a failure under it', async () => {
  const { id, subject } = await begin()
  const keys: string[] = []
  for (const endsKey of [false, true, true, false]) {
    const handle: Handle = (run, step) => {
      keys.push(keyOf(run, step))
      throw new Error('Out')
    }
    await advance(ctx, made(handle, { judge: () => ({ reason: 'Out', endsKey }), mostTries: 9 }), subject)
  }
  expect(keys).toEqual([`test-${id}-0`, `test-${id}-0`, `test-${id}-0-1`, `test-${id}-0-2`])
})

test('an error that no try changes ends it at once', async () => {
  const { id, subject } = await begin()
  await advance(ctx, made(failing().handle, { judge: () => ({ reason: 'No', isFinal: true }) }), subject)
  expect(await runOf(id)).toMatchObject({ state: 'failed', steps: [{ note: 'No' }, { state: 'waiting' }] })
})

test('a step whose time has not come waits for it, which is no failed try, unless somebody wakes it', async () => {
  const { id, subject } = await begin()
  const hourMs = 3_600_000
  let due = t.ctx.clock() + hourMs
  const definition = made(
    () => (t.ctx.clock() < due ? { state: 'later', until: new Date(due), note: 'Not yet' } : { state: 'done' }),
    { mostTries: 1 },
  )
  t.enqueued.length = 0
  await advance(ctx, definition, subject)
  const waiting = await runOf(id)
  expect(statesOf(waiting)).toEqual(['running', 'waiting', 'waiting'])
  expect(waiting).toMatchObject({ tries: 0, next_try_at: new Date(due), steps: [{ note: 'Not yet' }, {}] })
  // The sweep finds it then; a job that waits so long would keep another one from being enqueued.
  expect(t.enqueued).toEqual([])
  due = t.ctx.clock() + 30_000
  await advance(ctx, definition, subject)
  expect(t.enqueued).toHaveLength(1)
  due = 0
  await inTransaction(ctx, async (tx) => wakeRun(tx, (await lockRun(tx.db, id))!))
  expect((await runOf(id)).next_try_at!.getTime()).toBeLessThanOrEqual(t.ctx.clock())
  await advance(ctx, definition, subject)
  expect(statesOf(await runOf(id))).toEqual(['done', 'done', 'skipped'])
})

test('what is called off while it is being done leaves nothing behind, and what follows it goes on at once', async () => {
  const { id, subject } = await begin()
  const recorded: string[] = []
  let next = ''
  const definition = made(async (run) => {
    if (run.id !== id) return { state: 'done' }
    await inTransaction(ctx, async (tx) => cancelRun(tx, (await lockRun(tx.db, id))!))
    next = `${id}-next`
    const steps = [{ name: 'first', target: null, payload: {} }]
    await inTransaction(ctx, (tx) =>
      beginRun(tx, { id: next, name, kind: 'other', subject, topic: 'sites', options: {}, steps }),
    )
    return { state: 'done', record: async () => void recorded.push(run.id) }
  })
  await advance(ctx, definition, subject)
  expect(statesOf(await runOf(id))).toEqual(['cancelled', 'cancelled', 'cancelled'])
  expect(recorded).toEqual([])
  expect(statesOf(await runOf(next))).toEqual(['done', 'done'])
})

test('one process at a time works on a subject, and one run of it is open', async () => {
  const { id, subject } = await begin()
  let calls = 0
  const definition = made(async () => {
    calls++
    await advance(ctx, definition, subject)
    return { state: 'done' }
  })
  await advance(ctx, definition, subject)
  expect(calls).toBe(1)
  expect((await runOf(id)).state).toBe('done')
  const again = await begin()
  const twin = {
    id: 'twin',
    name,
    kind: 'made up',
    subject: again.subject,
    topic: 'sites',
    options: {},
    steps: [],
  } as const
  await expect(inTransaction(ctx, (tx) => beginRun(tx, twin))).rejects.toThrow(/runs_one_open/)
})

test('a try that another one has overtaken leaves nothing behind', async () => {
  const { id, subject } = await begin()
  const recorded: number[] = []
  const definition = made(async (_run, step) => {
    // What a process does that took it up after this one had lost its lock.
    if (step.attempts === 1) await overtakeTries(t.ctx.db, name, subject)
    return { state: 'done', record: async () => void recorded.push(step.attempts) }
  })
  await advance(ctx, definition, subject)
  expect([recorded, (await runOf(id)).state]).toEqual([[], 'running'])
  await advance(ctx, definition, subject)
  expect(recorded).toEqual([3])
  expect((await runOf(id)).state).toBe('done')
})

test('what a step writes down while it is done is written only as long as it is its own', async () => {
  const { id, subject } = await begin()
  const written: boolean[] = []
  const definition = made(async (run, step) => {
    const write = () => ifStill(ctx, {}, { run, step }, async () => {})
    written.push(await write())
    await inTransaction(ctx, async (tx) => cancelRun(tx, (await lockRun(tx.db, id))!))
    written.push(await write())
    return { state: 'done' }
  })
  await advance(ctx, definition, subject)
  expect(written).toEqual([true, false])
})

test('a run that begins after tries by somebody else waits as after so many', async () => {
  const from = t.ctx.clock()
  const { id, subject } = await begin(2)
  expect(Math.round(((await runOf(id)).next_try_at!.getTime() - from) / 1000)).toBe(10)
  const { calls, handle } = failing()
  await advance(ctx, made(handle), subject)
  expect([calls(), (await runOf(id)).state]).toEqual([1, 'failed'])
})

test('nobody goes on with it while something else is done about its subject', async () => {
  const { id, subject } = await begin()
  const held = await whileIdle(ctx, name, subject, async () => {
    await advance(ctx, made(done), subject)
    expect(await whileIdle(ctx, name, subject, async () => {})).toBeNull()
    return 'left alone'
  })
  expect([held, (await runOf(id)).state]).toEqual([{ result: 'left alone' }, 'waiting'])
  await advance(ctx, made(done), subject)
  expect((await runOf(id)).state).toBe('done')
})

test('the sweep begins what is to be begun, and tries nothing that is not ready', async () => {
  const { calls, handle } = failing()
  let isReady = false
  let begun: string | undefined
  const definition = made(handle, {
    isReady: () => isReady,
    async takeIn() {
      begun ??= (await begin()).id
    },
  })
  const job = runJobs([definition]).find((one) => one.name === name)!
  const run = { id: 'job', attempt: 1, isLastAttempt: true, signal: new AbortController().signal }
  await job.run(ctx, {}, run)
  expect([begun, calls()]).toEqual([undefined, 0])
  isReady = true
  await job.run(ctx, {}, run)
  expect((await runOf(begun!)).steps[0]).toMatchObject({ attempts: 1 })
})

test('the sweep takes up what was left and what is due, whatever becomes of another', async () => {
  const [lost, late, broken] = [await begin(), await begin(), await begin()]
  await advance(ctx, made(failing().handle), late.subject)
  const definition = made((run) => {
    if (run.id === broken.id) throw new Error('Broken')
    return { state: 'done' }
  })
  const sweep = runJobs([definition]).find((job) => job.name === 'runs.sweep')!
  const run = { id: 'sweep', attempt: 1, isLastAttempt: true, signal: new AbortController().signal }
  await sweep.run(ctx, {}, run)
  expect([(await runOf(lost.id)).state, (await runOf(late.id)).state]).toEqual(['done', 'running'])
  t.clock.advance(5000)
  await sweep.run(ctx, {}, run)
  expect([(await runOf(late.id)).state, (await runOf(broken.id)).state]).toEqual(['done', 'running'])
})
