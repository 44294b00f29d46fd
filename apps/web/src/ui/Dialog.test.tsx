import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { renderPiece } from '../../test/render.tsx'
import { Dialog } from './Dialog.tsx'
import { useForeground } from './foreground.ts'
import { ToastProvider, useToast } from './Toast.tsx'

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

test('a click beside it closes it, and the second one of a double click on something else does not', () => {
  const close = vi.fn()
  renderPiece(
    <Dialog open onClose={close} aria-labelledby="plain">
      <h2 id="plain">Plain</h2>
    </Dialog>,
  )
  const beside = screen.getByRole('dialog').parentElement as HTMLElement
  const click = (detail: number) => {
    fireEvent.mouseDown(beside)
    fireEvent.click(beside, { detail })
  }
  click(2)
  expect(close).not.toHaveBeenCalled()
  click(1)
  expect(close).toHaveBeenCalledOnce()
})

function Typing() {
  useForeground()
  return (
    <Dialog open aria-labelledby="typing">
      <h2 id="typing">Typing</h2>
      <input aria-label="Words" autoFocus />
    </Dialog>
  )
}

function Late({ isTyping, isUrgent }: { isTyping: boolean; isUrgent?: boolean }) {
  const [isReady, setReady] = useState(false)
  return (
    <>
      {isTyping ? <Typing /> : null}
      <button type="button" onClick={() => setReady(true)}>
        It arrives
      </button>
      <Dialog open={isReady} isUrgent={isUrgent ?? false} aria-labelledby="late">
        <h2 id="late">Late</h2>
      </Dialog>
    </>
  )
}

const arrive = () => fireEvent.click(screen.getByText('It arrives'))

test('a dialog that becomes ready late does not take the keyboard from who is typing', async () => {
  const { user, rerender } = renderPiece(<Late isTyping />)
  const words = screen.getByLabelText('Words')
  await user.type(words, 'cs_')
  arrive()
  expect(screen.queryByText('Late')).toBeNull()
  expect(document.activeElement).toBe(words)
  rerender(<Late isTyping={false} />)
  expect(screen.getByRole('dialog', { name: 'Late' })).toBeDefined()
})

test('what was open stays open behind, and what is urgent shows all the same', () => {
  const { rerender } = renderPiece(<Late isTyping={false} />)
  arrive()
  rerender(<Late isTyping />)
  expect(screen.getByText('Late')).toBeDefined()
  cleanup()
  renderPiece(<Late isTyping isUrgent />)
  arrive()
  expect(screen.getByText('Late')).toBeDefined()
})

function Failing() {
  const toast = useToast()
  const [isOpen, setOpen] = useState(true)
  return (
    <Dialog open={isOpen} aria-labelledby="failing">
      <h2 id="failing">Failing</h2>
      <button type="button" onClick={() => toast.error('Could not copy')}>
        Copy
      </button>
      <button type="button" onClick={() => setOpen(false)}>
        Done
      </button>
    </Dialog>
  )
}

test('a toast is within the dialog that is open, where keyboard and screen reader find it, and outlives it', async () => {
  const { user } = renderPiece(
    <ToastProvider>
      <Failing />
    </ToastProvider>,
  )
  const dialog = screen.getByRole('dialog')
  expect(within(dialog).queryByRole('alert')).toBeNull()
  await user.click(within(dialog).getByText('Copy'))
  expect(within(dialog).getByRole('alert').textContent).toContain('Could not copy')
  expect(within(dialog).queryByRole('status')).toBeNull()
  await user.tab()
  await user.tab()
  expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Dismiss' }))
  await user.click(within(dialog).getByText('Done'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('alert').textContent).toContain('Could not copy')
})
