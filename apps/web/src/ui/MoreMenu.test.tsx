import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { MoreMenu } from './MoreMenu.tsx'

const rolesOf = (menu: HTMLElement) => [...menu.children].map((entry) => entry.getAttribute('role') ?? entry.tagName)

test('draws a line above an entry that asks for it, but never as the first of all', async () => {
  const { user } = renderPage(
    <MoreMenu
      label="More"
      actions={[
        { label: 'Suspend', divider: true },
        { label: 'Rename' },
        { label: 'Delete', divider: true, destructive: true },
      ]}
    />,
  )
  await user.click(screen.getByRole('button', { name: 'More' }))
  expect(rolesOf(await screen.findByRole('menu', { name: 'More' }))).toEqual([
    'menuitem',
    'menuitem',
    'separator',
    'menuitem',
  ])
})

test('an entry that cannot be chosen says why and does nothing', async () => {
  const onSelect = vi.fn()
  const { user } = renderPage(
    <MoreMenu label="More" actions={[{ label: 'Delete', onSelect, disabledReason: 'It is still in use.' }]} />,
  )
  await user.click(screen.getByRole('button', { name: 'More' }))
  const entry = await screen.findByRole('menuitem', { name: /Delete/ })
  expect(entry.getAttribute('aria-disabled')).toBe('true')
  expect(entry.textContent).toContain('It is still in use.')
  await user.click(entry)
  expect(onSelect).not.toHaveBeenCalled()
  expect(screen.getByRole('menu', { name: 'More' })).toBeTruthy()
})
