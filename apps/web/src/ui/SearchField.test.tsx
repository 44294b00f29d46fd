import { screen } from '@testing-library/react'
import { useLayoutEffect, useState } from 'react'
import { expect, test } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { SearchField } from './SearchField.tsx'

/** An address that changes some time after it was asked to, as it does while much is drawn. */
function LateAddress() {
  const [value, setValue] = useState('')
  const [asked, setAsked] = useState<string[]>([])
  return (
    <>
      <SearchField
        label="Search"
        value={value}
        onSearch={(words) => setAsked((before) => [...before, words])}
        delayMs={60_000}
      />
      <button type="button" onClick={() => setValue(asked[0] ?? '')}>
        Arrive
      </button>
      <button type="button" onClick={() => setValue('')}>
        Back
      </button>
      <output>{asked.join(', ')}</output>
    </>
  )
}

const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' })
const asked = (text: string) => screen.findByText(text, { selector: 'output' })

test('what is typed while the address still has to change is kept', async () => {
  const { user } = renderPage(<LateAddress />)
  await user.type(field(), 'bangor{Enter}')
  await asked('bangor')
  expect(field().value).toBe('bangor')
  await user.type(field(), ' b{Enter}')
  await asked('bangor, bangor b')
  await user.click(screen.getByRole('button', { name: 'Arrive' }))
  expect(field().value).toBe('bangor b')
})

test('an address that changes by itself is followed', async () => {
  const { user } = renderPage(<LateAddress />)
  await user.type(field(), 'bangor{Enter}')
  await asked('bangor')
  await user.click(screen.getByRole('button', { name: 'Arrive' }))
  await user.click(screen.getByRole('button', { name: 'Back' }))
  expect(field().value).toBe('')
  await user.click(screen.getByRole('button', { name: 'Arrive' }))
  expect(field().value).toBe('bangor')
})

/** Whoever presses it the moment the field is there, before anything that runs later. */
function PressedAtOnce() {
  useLayoutEffect(() => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))
  }, [])
  return null
}

test('a slash reaches it from the moment that it is there', () => {
  renderPage(
    <>
      <SearchField label="Search" value="" onSearch={() => {}} />
      <PressedAtOnce />
    </>,
  )
  expect(document.activeElement).toBe(field())
})
