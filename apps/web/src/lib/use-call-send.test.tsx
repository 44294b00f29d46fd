import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPiece } from '../../test/render.tsx'
import { useCall } from './use-call.ts'

function Form({ send }: { send: () => Promise<void> }) {
  const { mutate, isPending: pending, error } = useCall<void, void>(send)
  return (
    <button type="button" onClick={() => mutate()}>
      {pending ? 'Sending' : (error?.message ?? 'Send')}
    </button>
  )
}

test('sends once at a time, tells what went wrong, and is sent again then', async () => {
  let fail = (_: Error) => {}
  const send = vi.fn(() => new Promise<void>((_, reject) => (fail = reject)))
  const { user } = renderPiece(<Form send={send} />)
  await user.dblClick(screen.getByRole('button'))
  await screen.findByText('Sending')
  expect(send).toHaveBeenCalledTimes(1)
  fail(new Error('No answer'))
  await user.click(await screen.findByText('No answer'))
  await screen.findByText('Sending')
  expect(send).toHaveBeenCalledTimes(2)
})
