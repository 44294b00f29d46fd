import type { Cohort } from '@agency/contract/types'
import { expect, test } from 'vitest'
import { cohortTable } from './cohort-rows.ts'

const month = (offset: number, customers: number, mrr: number, revenue_percent: number | null, partial = false) => ({
  ...{ offset, partial, customers, mrr, logo_percent: customers * 25, revenue_percent },
})
const cohorts: Cohort[] = [
  {
    ...{ month: '2026-01', customers: 4, mrr: 4000, reconstructed: false },
    months: [month(0, 4, 4000, 100), month(1, 3, 4400, 110), month(2, 2, 2000, 50, true)],
  },
  { month: '2026-02', customers: 4, mrr: 0, reconstructed: true, months: [month(0, 4, 0, null)] },
]
const options = { currency: 'usd', hrefOf: (of: string, offset: number) => `${of}+${offset}` }

test('has a column for each month since, and nothing where the month has not come', () => {
  const { columns, rows } = cohortTable(cohorts, { ...options, kind: 'customers' })
  expect(columns).toEqual(['0', '1', '2'])
  expect(rows.map(({ cells }) => cells.map((cell) => cell?.text ?? null))).toEqual([
    ['100%', '75%', '50%'],
    ['100%', null, null],
  ])
  expect(rows[0]?.cells[2]).toEqual({
    ...{ share: 0.5, text: '50%', title: '2 of 4, month in progress', href: '2026-01+2' },
  })
})

test('revenue may be above all of it, and is not known of a cohort without any', () => {
  const { rows } = cohortTable(cohorts, { ...options, kind: 'revenue' })
  expect(rows.map(({ cells }) => cells.map((cell) => cell?.text ?? null))).toEqual([
    ['100%', '110%', '50%'],
    ['—', null, null],
  ])
  expect(rows[1]?.cells[0]?.share).toBeNull()
})
