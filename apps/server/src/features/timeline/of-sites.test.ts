import type { TimelineEntry } from '@agency/contract/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { insertDeployment, insertSite } from '../../../test/deployment-rows.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

type Page = { entries: TimelineEntry[]; has_more: boolean; next: string | null; previous: string | null }

let t: TestContext
const caller = () => request(t.ctx).as('super_admin')
const day = (date: string) => `2026-${date}T00:00:00Z`

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  const { pool } = t.ctx
  const site = `site_${'e'.repeat(16)}`
  await insertRows(pool, 'customers', [{ id: 'cus_dune', name: 'Linus', email: 'linus@example.com' }])
  await insertSite(pool, { id: site, name: 'Dune', customer: 'cus_dune' })
  await pool.query(`update sites set provider = 'pages', provider_settings = '{"project": "x"}' where id = $1`, [site])
  await insertDeployment(pool, { id: 'dep_good', site, at: day('10-08') })
  await insertDeployment(pool, { id: 'dep_bad', site, at: day('10-09') })
  await insertDeployment(pool, { id: 'dep_back', site, at: day('10-10'), kind: 'rollback' })
  await pool.query(`update deployments set rolled_back_to = 'dep_good' where id = 'dep_back'`)
})
afterAll(() => t.close())

test('of the deployments the one that the site serves is marked, and a rollback names what it brought back', async () => {
  const answer = await caller().get('/stripe/customers/cus_dune/activity?kinds=deployment')
  expect((answer.json() as Page).entries.map(({ id, detail, is_live }) => [id, detail, is_live])).toEqual([
    ['deployment:dep_back', 'Dune · Rollback to abc1234', false],
    ['deployment:dep_bad', 'Dune · abc1234', false],
    ['deployment:dep_good', 'Dune · abc1234', true],
  ])
})

test('is searched by site, person, reason and id, page by page', async () => {
  const found = async (search: string, more = '') => {
    const answer = await caller().get(`/stripe/customers/cus_dune/activity?search=${encodeURIComponent(search)}${more}`)
    return answer.json() as Page
  }
  const ids = ({ entries }: Page) => entries.map(({ id }) => id)
  expect(ids(await found('dune'))).toEqual(['deployment:dep_back', 'deployment:dep_bad', 'deployment:dep_good'])
  expect(ids(await found('DEP_BAD'))).toEqual(['deployment:dep_bad'])
  expect(ids(await found('grace'))).toHaveLength(3)
  expect(ids(await found('100%'))).toEqual([])
  const first = await found('dune', '&limit=2')
  expect([ids(first).length, first.has_more]).toEqual([2, true])
  const last = await found('dune', `&limit=2&before=${first.next}`)
  expect([ids(last), last.next]).toEqual([['deployment:dep_good'], null])
  expect(ids(await found('dune', `&limit=2&after=${last.previous}`))).toEqual(ids(first))
})
