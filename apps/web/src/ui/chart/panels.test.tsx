import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPiece } from '../../../test/render.tsx'
import { BarPanel } from './BarPanel.tsx'
import { HeatMap } from './HeatMap.tsx'
import { WaterfallPanel } from './WaterfallPanel.tsx'

const cellsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))
const format = (value: number) => `$${value}`
const scale = { format, short: format, base: 10 } as const

test('bars have a table with what they come to, and links to the rows behind them', async () => {
  const { user } = renderPiece(
    <BarPanel
      title="Revenue"
      first="Month"
      slots={['2026-01', '2026-02']}
      stacked
      series={[
        { id: 'new', label: 'New', color: 'red', values: [5, null] },
        { id: 'old', label: 'Old', color: 'blue', values: [7, 2] },
      ]}
      scale={scale}
      tickOf={(slot) => slot}
      nameOf={(slot) => slot}
      hrefOf={(slot, { id }) => `/rows?${slot}&${id}`}
    />,
  )
  await user.click(screen.getByRole('button', { name: 'Show as table' }))
  expect(cellsOf(screen.getByRole('table'))).toEqual([
    ['Month', 'New', 'Old', 'Total'],
    ['2026-02', '—', '$2', '—'],
    ['2026-01', '$5', '$7', '$12'],
  ])
  expect(screen.getByRole('link', { name: '$5' }).getAttribute('href')).toBe('/rows?2026-01&new')
})

test('a bridge says each of its steps, and what is not known', async () => {
  const { user } = renderPiece(
    <WaterfallPanel
      title="MRR"
      format={format}
      short={format}
      steps={[
        { id: 'start', label: 'Start', kind: 'level', value: 10, color: 'red' },
        { id: 'new', label: 'New', kind: 'change', value: 4, color: 'red', href: '/rows?new' },
        { id: 'churn', label: 'Churn', kind: 'change', value: -3, color: 'red' },
        { id: 'fees', label: 'Fees', kind: 'change', value: null, color: 'red' },
      ]}
    />,
  )
  const steps = within(screen.getByRole('list', { name: 'MRR' })).getAllByRole('listitem')
  expect(steps.map((step) => step.textContent)).toEqual(['$10Start', '+$4New', '−$3Churn', 'UnavailableFees'])
  expect(screen.getByRole('link', { name: 'New: +$4' }).getAttribute('href')).toBe('/rows?new')
  await user.click(screen.getByRole('button', { name: 'Show as table' }))
  expect(cellsOf(screen.getByRole('table'))).toEqual([
    ['Start', '$10'],
    ['New', '+$4'],
    ['Churn', '−$3'],
    ['Fees', 'Unavailable'],
  ])
})

test('a heat map is a table; what is not known has no shade', () => {
  renderPiece(
    <HeatMap
      title="Retention"
      first="Started in"
      size="Customers"
      columns={['1', '2']}
      rows={[
        {
          ...{ id: 'a', name: 'January', size: '4' },
          cells: [
            { share: 0.5, text: '50%', title: '2 of 4' },
            { share: null, text: '—', title: 'Not known' },
          ],
        },
      ]}
    />,
  )
  expect(cellsOf(screen.getByRole('table', { name: '' }))).toEqual([
    ['Started in', 'Customers', '1', '2'],
    ['January', '4', '50%', '—'],
  ])
  expect(screen.getByTitle('Not known').getAttribute('style')).toBeNull()
})
