import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { FilterDate } from './FilterField.tsx'

afterEach(() => vi.useRealTimers())

function Field({ initial, onChange }: { initial: string; onChange: (day: string) => void }) {
  const [value, setValue] = useState(initial)
  const handleChange = (day: string) => {
    setValue(day)
    onChange(day)
  }
  return <FilterDate label="From" value={value} onChange={handleChange} />
}

function open(initial = '2026-11-21') {
  const chosen: string[] = []
  const { user } = renderPage(<Field initial={initial} onChange={(day) => chosen.push(day)} />)
  const field = screen.getByLabelText<HTMLInputElement>('From')
  const calendar = async () => {
    await user.click(screen.getByRole('button', { name: 'Open calendar' }))
    return within(await screen.findByRole('dialog', { name: 'From: choose a day' }))
  }
  return { chosen, user, field, calendar }
}
const day = (name: string) => ({ name })

test('shows a day as the country writes it, and takes one that is typed so', async () => {
  const { chosen, user, field } = open()
  expect(field.value).toBe('11/21/2026')
  await user.clear(field)
  await user.type(field, '2/28/2026')
  expect(chosen).toEqual(['', '2026-02-28'])
})

test('says what is wrong with what is no day, and asks for nothing', async () => {
  const { chosen, user, field } = open('')
  await user.type(field, '2/30/2026')
  await user.tab()
  expect([field.value, field.getAttribute('aria-invalid'), field.title]).toEqual([
    ...['2/30/2026', 'true', 'Month/day/year, from 1900 to 2099'],
  ])
  expect(chosen).toEqual([])
})

test('opens a month whose weeks start on Sunday, on the chosen day', async () => {
  const { calendar } = open()
  const dialog = await calendar()
  expect(dialog.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    ...['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'],
  ])
  expect(dialog.getByRole('grid', { name: 'November 2026' })).toBeDefined()
  const chosen = dialog.getByRole('gridcell', day('November 21, 2026'))
  expect(chosen.getAttribute('aria-selected')).toBe('true')
  expect(document.activeElement).toBe(chosen)
})

test('is moved in by keys: days, weeks, months, years; Enter chooses', async () => {
  const { calendar, user, chosen, field } = open()
  await calendar()
  const at = async (keys: string) => {
    await user.keyboard(keys)
    return document.activeElement?.getAttribute('aria-label')
  }
  expect(await at('{ArrowRight}')).toBe('November 22, 2026')
  expect(await at('{ArrowUp}')).toBe('November 15, 2026')
  expect(await at('{End}')).toBe('November 21, 2026')
  expect(await at('{Home}')).toBe('November 15, 2026')
  expect(await at('{PageUp}')).toBe('October 15, 2026')
  expect(await at('{Shift>}{PageDown}{/Shift}')).toBe('October 15, 2027')
  expect(await at('{ArrowLeft}')).toBe('October 14, 2027')
  await user.keyboard('{Enter}')
  expect([chosen, field.value]).toEqual([['2027-10-14'], '10/14/2027'])
  expect(screen.queryByRole('grid')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open calendar' }))
})

test('turns months by its buttons, and a click chooses', async () => {
  const { calendar, user, chosen } = open('2026-01-31')
  const dialog = await calendar()
  await user.click(dialog.getByRole('button', day('Next month')))
  await user.click(dialog.getByRole('gridcell', day('February 3, 2026')))
  expect(chosen).toEqual(['2026-02-03'])
})

test('is left unchanged by Escape, emptied by Clear, and today is one press away', async () => {
  const { calendar, user, chosen } = open()
  await calendar()
  await user.keyboard('{Escape}')
  expect(chosen).toEqual([])
  await user.click((await calendar()).getByRole('button', day('Clear')))
  expect(chosen).toEqual([''])
  vi.useFakeTimers({ now: new Date(2026, 4, 6, 12), toFake: ['Date'] })
  await user.click((await calendar()).getByRole('button', day('Today')))
  expect(chosen).toEqual(['', '2026-05-06'])
})
