import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { oneOf, text } from './search-state.ts'
import { useSearchState } from './use-search-state.ts'

const schema = { search: text(), status: oneOf(['all', 'active'], 'all') }

function Filters() {
  const { state, set } = useSearchState(schema)
  return (
    <button
      type="button"
      onClick={() => {
        set({ search: 'bakery' })
        set({ status: 'active' })
      }}
    >
      {state.search} {state.status}
    </button>
  )
}

test('two changes before the next render are both kept', async () => {
  const { user } = renderPage(<Filters />, { route: '/admin/sites?after=site_9' })
  await user.click(screen.getByRole('button'))
  expect(window.location.search).toBe('?search=bakery&status=active')
  expect((await screen.findByRole('button')).textContent).toBe('bakery active')
})
