import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { renderPiece, showOn } from '../../../test/render.tsx'
import type { Column, Paging } from './columns.ts'
import { DataTable } from './DataTable.tsx'
import { rangeText } from './Pager.tsx'
import type { DataTableProps } from './table-props.ts'

type Fruit = { id: string; name: string; price: number; note: string }
const fruits: Fruit[] = ['Apple', 'Banana', 'Cherry'].map((name, index) => ({
  id: `f${index}`,
  name,
  price: index,
  note: `note of ${name}`,
}))
const columns: Column<Fruit>[] = [
  { id: 'name', header: 'Fruit', cell: (row) => row.name, sort: 'name' },
  {
    id: 'price',
    header: 'Price',
    cell: (row) => row.price,
    align: 'right',
    sort: 'price',
    sortFirst: 'descending',
    onCard: true,
  },
  { id: 'note', header: 'Note', cell: (row) => row.note, text: (row) => row.note },
]
const paging: Paging = {
  size: 25,
  sizes: [10, 25, 50],
  offset: 0,
  hasNext: true,
  hasPrevious: false,
  onNext: vi.fn(),
  onPrevious: vi.fn(),
  onSize: vi.fn(),
}

function table(props: Partial<DataTableProps<Fruit>> = {}) {
  return (
    <DataTable
      label="Fruits"
      columns={columns}
      rows={fruits}
      keyOf={(row) => row.id}
      nameOf={(row) => row.name}
      empty={<p>No fruits</p>}
      {...props}
    />
  )
}

function Sorted({ onAsk }: { onAsk: (sort: string) => void }) {
  const [sort, setSort] = useState('name')
  const handleSort = (next: string) => {
    onAsk(next)
    setSort(next)
  }
  return table({ sort, onSort: handleSort })
}

const names = () => screen.getAllByRole('button', { name: /^(Apple|Banana|Cherry)$/ })
const focused = () => document.activeElement?.textContent

describe('keyboard', () => {
  test('one tab stop for all rows; arrows, Home and End move it', async () => {
    const { user } = renderPiece(table({ onOpen: () => {} }))
    expect(names().map((name) => name.tabIndex)).toEqual([0, -1, -1])
    names()[0]?.focus()
    await user.keyboard('{ArrowDown}')
    expect(focused()).toBe('Banana')
    expect(names().map((name) => name.tabIndex)).toEqual([-1, 0, -1])
    await user.keyboard('{End}{ArrowDown}')
    expect(focused()).toBe('Cherry')
    await user.keyboard('{ArrowUp}')
    expect(focused()).toBe('Banana')
    await user.keyboard('{Home}{ArrowUp}')
    expect(focused()).toBe('Apple')
  })

  test('Enter opens the row', async () => {
    const onOpen = vi.fn()
    const { user } = renderPiece(table({ onOpen }))
    names()[0]?.focus()
    await user.keyboard('{ArrowDown}{Enter}')
    expect(onOpen.mock.calls).toEqual([[fruits[1]]])
  })

  test.each(['{ContextMenu}', '{Shift>}{F10}{/Shift}'])('%s opens the menu of the row', async (keys) => {
    const onSelect = vi.fn()
    const { user } = renderPiece(
      table({ onOpen: () => {}, actionsOf: (row) => [{ label: `Peel ${row.name}`, onSelect }] }),
    )
    names()[0]?.focus()
    await user.keyboard(`{ArrowDown}${keys}`)
    const item = await screen.findByRole('menuitem', { name: 'Peel Banana' })
    // The menu gives it the focus a moment after it is there.
    await expect.poll(() => document.activeElement).toBe(item)
    await user.keyboard('{Enter}')
    expect(onSelect).toHaveBeenCalledTimes(1)
    await expect.poll(() => item.isConnected).toBe(false)
  })

  test('Space selects the row', async () => {
    const onChange = vi.fn()
    const { user } = renderPiece(table({ onOpen: () => {}, selection: { keys: new Set(['f0']), onChange } }))
    names()[0]?.focus()
    await user.keyboard('{ArrowDown} ')
    expect(onChange).toHaveBeenCalledWith(new Set(['f0', 'f1']))
  })

  test('without anything to open, the menu buttons are the stops', async () => {
    const { user } = renderPiece(table({ actionsOf: () => [{ label: 'Peel' }] }))
    screen.getByRole('button', { name: 'Actions for Apple' }).focus()
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Actions for Banana')
  })
})

describe('pointer', () => {
  test('a click anywhere on a row opens it, a click on its controls does not', async () => {
    const onOpen = vi.fn()
    const selection = { keys: new Set<string>(), onChange: vi.fn() }
    const { user } = renderPiece(table({ onOpen, selection, actionsOf: () => [{ label: 'Peel' }] }))
    await user.click(screen.getByText('note of Cherry'))
    expect(onOpen.mock.calls).toEqual([[fruits[2]]])
    await user.click(screen.getByRole('checkbox', { name: 'Select Apple' }))
    await user.click(screen.getByRole('button', { name: 'Actions for Apple' }))
    expect(onOpen).toHaveBeenCalledTimes(1)
    expect(selection.onChange).toHaveBeenCalledWith(new Set(['f0']))
  })

  test('names are links where rows have an address', () => {
    renderPiece(table({ hrefOf: (row) => `?open=${row.id}` }))
    expect(screen.getByRole('link', { name: 'Banana' }).getAttribute('href')).toBe('?open=f1')
  })

  test('an action that is not allowed says why and does nothing', async () => {
    const onSelect = vi.fn()
    const { user } = renderPiece(table({ actionsOf: () => [{ label: 'Eat', onSelect, disabledReason: 'Not ripe' }] }))
    await user.click(screen.getByRole('button', { name: 'Actions for Apple' }))
    await user.click(await screen.findByRole('menuitem', { name: /Eat.*Not ripe/ }))
    expect(onSelect).not.toHaveBeenCalled()
  })
})

describe('sorting', () => {
  const header = (name: string) => screen.getByRole('columnheader', { name: new RegExp(name) })

  test('marks the sorted column and asks for each direction in turn', async () => {
    const asked: string[] = []
    const { user } = renderPiece(<Sorted onAsk={(sort) => asked.push(sort)} />)
    expect(header('Fruit').getAttribute('aria-sort')).toBe('ascending')
    expect(header('Price').getAttribute('aria-sort')).toBe('none')
    expect(header('Note').hasAttribute('aria-sort')).toBe(false)
    await user.click(within(header('Fruit')).getByRole('button'))
    await user.click(within(header('Price')).getByRole('button'))
    await user.click(within(header('Price')).getByRole('button'))
    expect(asked).toEqual(['-name', '-price', 'price'])
    expect(header('Price').getAttribute('aria-sort')).toBe('ascending')
  })
})

describe('selection', () => {
  test('the selection bar replaces the tool bar', async () => {
    const onChange = vi.fn()
    const { user } = renderPiece(
      table({
        toolbar: <p>tools</p>,
        selection: { keys: new Set(['f0', 'f2']), onChange },
        selectionActions: <p>acts</p>,
      }),
    )
    expect(screen.queryByText('tools')).toBeNull()
    expect(screen.getByText('2 selected')).toBeDefined()
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all rows of this page' }).indeterminate).toBe(
      true,
    )
    await user.click(screen.getByRole('button', { name: 'Clear selection' }))
    expect(onChange).toHaveBeenCalledWith(new Set())
  })
})

describe('states', () => {
  test('the first load shows ghosts and says that it is busy', () => {
    renderPiece(table({ rows: undefined, skeletonRows: 5 }))
    expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true')
    expect(screen.getAllByRole('row')).toHaveLength(6)
    expect(screen.queryByText('No fruits')).toBeNull()
  })

  test('no rows show the reason, without a pager', () => {
    renderPiece(table({ rows: [], paging }))
    expect(screen.getByText('No fruits')).toBeDefined()
    expect(screen.queryByLabelText('Pages')).toBeNull()
  })

  test('says of a list that lacks rows that it does', () => {
    const missing = 'Not everything is imported yet.'
    const { rerender } = renderPiece(table({ missing, total: 3, unit: ['fruit', 'fruits'] }))
    expect(screen.getByRole('status').textContent).toBe('3 fruits so far. Not everything is imported yet.')
    rerender(table({ missing, total: null }))
    expect(screen.getByRole('status').textContent).toBe(missing)
    rerender(table({ missing, rows: [], total: null }))
    expect(screen.queryByText('No fruits')).toBeNull()
    rerender(table({ missing, rows: [], filters: [{ label: 'Ripe', onRemove: vi.fn() }] }))
    expect(screen.getByText('No fruits')).toBeDefined()
  })

  test('a failed first load shows the failure', () => {
    renderPiece(table({ rows: undefined, error: <p>Broken</p> }))
    expect(screen.getByText('Broken')).toBeDefined()
  })

  test('filters can be taken away one by one', async () => {
    const onRemove = vi.fn()
    const { user } = renderPiece(table({ filters: [{ label: 'Ripe', onRemove }], total: 1, unit: ['fruit', 'fruits'] }))
    expect(screen.getByText('1 fruit')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Remove filter Ripe' }))
    expect(onRemove).toHaveBeenCalledTimes(1)
  })

  test('cut text is there in full', () => {
    renderPiece(table())
    expect(screen.getByText('note of Apple').title).toBe('note of Apple')
  })

  test('a cell may say more on hover than it shows, on a phone too', () => {
    const price: Column<Fruit> = { ...columns[1]!, title: (row) => `${row.price} dollars` }
    const { unmount } = renderPiece(table({ columns: [columns[0]!, price] }))
    expect(screen.getByTitle('2 dollars').textContent).toBe('2')
    unmount()
    showOn('phone')
    renderPiece(table({ columns: [columns[0]!, price] }))
    expect(screen.getByTitle('2 dollars').textContent).toBe('2')
  })

  test("somebody else's text runs in its own direction", () => {
    const note: Column<Fruit> = { ...columns[2]!, isForeign: true }
    renderPiece(table({ columns: [columns[0]!, columns[1]!, note] }))
    expect(screen.getByText('note of Apple').dir).toBe('auto')
    expect(screen.getByRole('cell', { name: '2' }).dir).toBe('')
  })
})

describe('paging', () => {
  test('goes on, and only where there is something', async () => {
    const { user } = renderPiece(table({ paging }))
    const previous = screen.getByRole<HTMLButtonElement>('button', { name: 'Previous page' })
    expect(previous.disabled).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    expect(paging.onNext).toHaveBeenCalledTimes(1)
    await user.selectOptions(screen.getByLabelText('Rows per page'), '50')
    expect(paging.onSize).toHaveBeenCalledWith(50)
  })

  test.each([
    [0, true, 25, 128, '1–25 of 128'],
    [25, false, 3, null, '26–28 of 28'],
    [25, true, 25, null, '26–50 of more'],
    [0, false, 0, 0, 'No rows'],
    // The total was counted a moment before the rows.
    [0, false, 3, 2, '1–3 of 3'],
  ])('from %i, more %s, shown %i of %s: %s', (offset, hasNext, shown, total, text) => {
    expect(rangeText({ offset, hasNext }, shown, total)).toBe(text)
  })
})

test('on a phone rows become cards with their facts, the others one press away', async () => {
  showOn('phone')
  const onOpen = vi.fn()
  const { user } = renderPiece(table({ onOpen }))
  expect(screen.queryByRole('table')).toBeNull()
  const [first] = within(screen.getByRole('list', { name: 'Fruits' })).getAllByRole('listitem')
  expect(first?.textContent).toBe('ApplePrice0More')
  await user.click(screen.getByRole('button', { name: 'More about Apple' }))
  expect(first?.textContent).toBe('ApplePrice0Notenote of AppleLess')
  await user.click(screen.getByRole('button', { name: 'Less about Apple' }))
  expect(first?.textContent).toBe('ApplePrice0More')
  expect(onOpen).not.toHaveBeenCalled()
})

test('a card that shows everything has nothing to ask for', () => {
  showOn('phone')
  renderPiece(table({ columns: columns.slice(0, 2) }))
  expect(screen.queryByRole('button', { name: /^More about/ })).toBeNull()
})

test('without cards a phone has no list', () => {
  showOn('phone')
  renderPiece(table({ rows: [] }))
  expect(screen.queryByRole('list', { name: 'Fruits' })).toBeNull()
  expect(screen.getByText('No fruits')).toBeTruthy()
})
