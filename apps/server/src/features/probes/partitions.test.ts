import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { addSite } from './test/world.ts'

const day = 86_400_000
let t: TestContext

beforeAll(async () => {
  t = await createTestContext()
})
afterAll(() => t?.close())

const names = async (): Promise<string[]> =>
  (await t.ctx.pool.query('select name from site_probe_partitions order by from_at')).rows.map(({ name }) => name)
const look = (id: string, at: number) =>
  t.ctx.pool.query(
    `insert into site_probes (site_id, at, health, in_maintenance, is_failure) values ($1, $2, 'healthy', false, false)`,
    [id, new Date(at)],
  )
const looks = async () =>
  (await t.ctx.pool.query('select tableoid::regclass::text as part, at from site_probes order by at')).rows
const nameOf = (at: number) => `site_probes_${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}`

test('looks lie in days, made ahead and dropped whole', async () => {
  const id = await addSite(t)
  // Well beyond what was kept before there were days.
  const start = Math.floor(Date.now() / day) * day + 10 * day
  t.clock.set(start + 1000)
  await look(id, start + 500)
  expect((await looks())[0].part).toBe('site_probes_rest')
  await runJob(t.ctx, 'probes.roll_up')
  await runJob(t.ctx, 'probes.roll_up')
  expect(await names()).toEqual(['site_probes_before', ...[0, 1, 2].map((ahead) => nameOf(start + ahead * day))])
  expect((await looks())[0].part).toBe(nameOf(start))
  await look(id, start + day + 5000)
  t.clock.set(start + 8.5 * day)
  await runJob(t.ctx, 'probes.forget')
  expect((await looks()).map(({ part }) => part)).toEqual([nameOf(start + day)])
  expect(await names()).toEqual([1, 2].map((ahead) => nameOf(start + ahead * day)))
  await t.ctx.pool.query('delete from sites')
  expect(await looks()).toEqual([])
})
