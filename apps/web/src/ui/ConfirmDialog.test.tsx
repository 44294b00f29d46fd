import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { stillLoading } from './unread-preview.ts'

const onConfirm = vi.fn()

/** Its preview has come once somebody presses "Come". */
function Previewed({ first }: { first: string }) {
  const [reason, setReason] = useState<string | undefined>(first)
  return (
    <ConfirmDialog
      title="Charge"
      confirmLabel="Charge $29.00"
      blockedReason={reason}
      onConfirm={onConfirm}
      onClose={() => {}}
    >
      <button type="button" onClick={() => setReason(undefined)}>
        Come
      </button>
    </ConfirmDialog>
  )
}

test.each([
  [stillLoading, 'true'],
  ['Choose a price first', null],
])('says why it does not confirm yet (%s), for as long as that is so', async (first, disabled) => {
  const { user } = renderPage(<Previewed first={first} />)
  const button = await screen.findByRole('button', { name: 'Charge $29.00' })
  expect(button.getAttribute('aria-disabled')).toBe(disabled)
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(button)
  expect(screen.getByRole('alert').textContent).toBe(first)
  expect(onConfirm).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Come' }))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(button.getAttribute('aria-disabled')).toBeNull()
  await user.click(button)
  expect(onConfirm).toHaveBeenCalledTimes(1)
  onConfirm.mockReset()
})
