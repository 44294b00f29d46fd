import { expect, test } from 'vitest'
import { planTree } from './plan.ts'

const scan = {
  ...{
    'Node Type': 'Seq Scan',
    'Relation Name': 'payments',
    'Total Cost': 75,
    'Plan Rows': 10,
    Filter: '(amount > 5)',
  },
  ...{ 'Actual Rows': 400, 'Actual Loops': 2, 'Actual Total Time': 3, 'Rows Removed by Filter': 7 },
}

test('a plan is a tree of steps, each with its own part of the whole', () => {
  const tree = planTree({
    Plan: {
      'Node Type': 'Sort',
      'Total Cost': 100,
      'Plan Rows': 800,
      'Sort Key': ['id', 'at'],
      Plans: [{ ...scan, 'Actual Total Time': undefined, 'Actual Rows': undefined }],
    },
  })
  expect(tree).toMatchObject({ title: 'Sort', rows: 800, share: 25, ms: null, notes: ['Sort Key: id, at'] })
  expect(tree?.children).toMatchObject([{ title: 'Seq Scan on payments', rows: 10, share: 75, expectedRows: null }])
})

test('of a query that was run times count, and what was expected otherwise', () => {
  const tree = planTree({
    Plan: { 'Node Type': 'Limit', 'Actual Total Time': 8, 'Actual Rows': 10, 'Plan Rows': 10, Plans: [scan] },
  })
  expect(tree).toMatchObject({ ms: 8, share: 25, expectedRows: null })
  expect(tree?.children[0]).toMatchObject({ ms: 6, rows: 800, expectedRows: 10, share: 75 })
  expect(tree?.children[0]?.notes).toEqual(['Filter: (amount > 5)', 'Rows removed by filter: 7'])
})

test('joins and indexes are named', () => {
  const title = (step: object) => planTree({ Plan: step })?.title
  expect(title({ 'Node Type': 'Hash Join', 'Join Type': 'Left' })).toBe('Hash Join (left)')
  expect(title({ 'Node Type': 'Index Scan', 'Relation Name': 'sites', 'Index Name': 'sites_pkey' })).toBe(
    'Index Scan on sites by sites_pkey',
  )
  expect(planTree({})).toBeNull()
})
