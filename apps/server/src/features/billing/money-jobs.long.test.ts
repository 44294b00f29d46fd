import { afterAll, beforeAll, expect, test } from 'vitest'
import { startJobs } from '../../platform/job.ts'
import { runJobs } from '../../platform/runs/jobs.ts'
import { resolveRun } from './index.ts'
import { actionOf, makePayment, person, refundsOf, startWorld, type World } from './money-actions/test/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(() => world?.close())

test('the queue finds out what became of a lost answer within seconds', async () => {
  const process = await world.openProcess({ jobs: 'real' })
  await startJobs(process.ctx, runJobs([resolveRun({})]))
  const { payment } = await makePayment(world)
  world.sandbox.faults.next('stripe', 'refunds.create', { connection: 'lost' }, 2)
  const answer = await person(process, 'Ada').refund(payment, { amount: 1000 }, 'queued-1')
  expect(answer.json()).toMatchObject({ code: 'outcome_unknown' })
  await expect.poll(async () => (await actionOf(world, 'queued-1')).state).toBe('done')
  expect(await refundsOf(world, payment)).toMatchObject([{ amount: 1000 }])
})
