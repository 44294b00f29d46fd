import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderPiece } from '../../test/render.tsx'
import { DataTable } from './data-table/DataTable.tsx'
import { Panel } from './Panel.tsx'
import { SkeletonLines } from './Skeleton.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const said = () => screen.queryAllByText(/^Still waiting\./)
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

const table = (rows: string[] | undefined, error?: string) => (
  <DataTable label="Fruits" columns={[]} rows={rows} keyOf={String} nameOf={String} empty="None" error={error} />
)
const panel = (loading: boolean) => (
  <Panel title="Fruits" loading={loading} skeleton={<SkeletonLines count={5} />}>
    Apple
  </Panel>
)

test.each([
  ['a list', table(undefined), table(['Apple'])],
  ['a list that fails', table(undefined), table(undefined, 'Failed')],
  ['a panel', panel(true), panel(false)],
])('%s says once that it still waits, after ten seconds and until the answer', (_, waiting, answered) => {
  const { rerender } = renderPiece(waiting)
  pass(9900)
  expect(said()).toHaveLength(0)
  pass(200)
  expect(said()).toHaveLength(1)
  rerender(answered)
  expect(said()).toHaveLength(0)
})

test('an answer in time leaves no timer behind', () => {
  const { rerender } = renderPiece(table(undefined))
  pass(5000)
  rerender(table(['Apple']))
  expect(vi.getTimerCount()).toBe(0)
})
