import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPiece } from '../../test/render.tsx'
import { Dialog } from './Dialog.tsx'

test('Escape closes what is on top even while nothing has the focus', () => {
  const [closeLower, closeUpper] = [vi.fn(), vi.fn()]
  renderPiece(
    <>
      <Dialog open onClose={closeLower} aria-labelledby="lower">
        <h2 id="lower">Lower</h2>
      </Dialog>
      <Dialog open onClose={closeUpper} aria-labelledby="upper">
        <h2 id="upper">Upper</h2>
      </Dialog>
    </>,
  )
  expect(screen.getByRole('dialog', { name: 'Upper' })).toBeDefined()
  fireEvent.keyDown(document.body, { key: 'Enter' })
  expect(closeUpper).not.toHaveBeenCalled()
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(closeUpper).toHaveBeenCalledOnce()
  expect(closeLower).not.toHaveBeenCalled()
})
