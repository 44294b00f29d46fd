import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { customerDetails } from '../../../test/fixtures.ts'
import { renderPiece } from '../../../test/render.tsx'
import { OverviewTab } from './OverviewTab.tsx'

test('metadata leaves out what has a line of its own, and what is the console’s own business', () => {
  const metadata = { company: 'Engines', account_type: 'starter', action_id: 'a1', source: 'fair' }
  renderPiece(<OverviewTab customer={{ ...customerDetails(), metadata }} />)
  const section = screen.getByRole('heading', { name: 'Metadata' }).closest('section')!
  expect(
    within(section)
      .getAllByRole('term')
      .map((term) => term.textContent),
  ).toEqual(['source'])
  expect(screen.getByText('Engines')).toBeTruthy()
})
