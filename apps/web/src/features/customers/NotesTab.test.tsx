import * as customers from '@agency/contract/descriptors/customers'
import type { CustomerNote } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { NotesTab } from './NotesTab.tsx'

const aNote = (part: Partial<CustomerNote> = {}): CustomerNote => ({
  id: 'note_1',
  text: 'Called.\nWants <b>more</b>.',
  author_name: 'Grace',
  created_at: '2026-11-20T10:00:00Z',
  edited_at: null,
  edited_by: null,
  can_change: true,
  ...part,
})

function open(initial: CustomerNote[], session = testSession()) {
  let notes = initial
  const api = mockApi(customers, {
    listCustomerNotes: () => ({ notes, has_more: false }),
    createCustomerNote: ({ body }) => {
      const note = aNote({ id: `note_${notes.length + 1}`, text: (body as { text: string }).text })
      notes = [note, ...notes]
      return { note }
    },
    updateCustomerNote: ({ body }) => {
      const note = aNote({ text: (body as { text: string }).text, edited_at: '2026-11-21T10:00:00Z', edited_by: 'Ada' })
      notes = [note]
      return { note }
    },
    deleteCustomerNote: () => {
      notes = []
      return { success: true as const }
    },
  })
  const calls = (name: string) => api.calls().filter((call) => call.name === name)
  return { ...renderPage(<NotesTab customerId="cus_1" />, { route: '/admin/customers', session }), calls }
}

test('shows text as text, with its lines', async () => {
  open([aNote()])
  const text = await screen.findByText(/Wants <b>more<\/b>/)
  expect(text.textContent).toBe('Called.\nWants <b>more</b>.')
  expect(text.querySelector('b')).toBeNull()
  expect(screen.getByText('Grace')).toBeTruthy()
})

test('adds a note and empties the field', async () => {
  const { user, calls } = open([])
  expect(await screen.findByText('No notes about this customer yet.')).toBeTruthy()
  await user.type(screen.getByLabelText('New note'), ' Hello ')
  await user.click(screen.getByRole('button', { name: 'Add note' }))
  expect(await within(await screen.findByRole('list', { name: 'Notes' })).findByText('Hello')).toBeTruthy()
  expect((screen.getByLabelText('New note') as HTMLTextAreaElement).value).toBe('')
  expect(calls('createCustomerNote')[0]).toMatchObject({ params: { id: 'cus_1' }, body: { text: 'Hello' } })
})

test('says what is wrong, keeps the text and sends nothing', async () => {
  const { user, calls } = open([])
  await user.click(await screen.findByRole('button', { name: 'Add note' }))
  expect(screen.getByText('Enter a note')).toBeTruthy()
  mockApi(customers, {
    createCustomerNote: () => problem(503, { code: 'unavailable', detail: 'The database is away' }),
  })
  await user.type(screen.getByLabelText('New note'), 'Kept')
  await user.click(screen.getByRole('button', { name: 'Add note' }))
  expect((await screen.findByText(/The database is away/)).getAttribute('role')).toBe('alert')
  expect((screen.getByLabelText('New note') as HTMLTextAreaElement).value).toBe('Kept')
  expect(calls('createCustomerNote')).toHaveLength(1)
})

test('edits a note, and says who did', async () => {
  const { user } = open([aNote()])
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  const field = screen.getByLabelText('Edit note')
  expect((field as HTMLTextAreaElement).value).toBe('Called.\nWants <b>more</b>.')
  await user.clear(field)
  await user.type(field, 'Called back')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/edited by Ada/)).toBeTruthy()
  expect(screen.getByText('Called back')).toBeTruthy()
})

test('deletes a note once that is confirmed', async () => {
  const { user, calls } = open([aNote()])
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(calls('deleteCustomerNote')).toEqual([])
  await user.click(await screen.findByRole('button', { name: 'Delete note' }))
  expect(await screen.findByText('No notes about this customer yet.')).toBeTruthy()
  expect(calls('deleteCustomerNote')[0]?.params).toEqual({ id: 'cus_1', note: 'note_1' })
})

test('offers nothing that the actor may not do', async () => {
  open([aNote({ can_change: false })], testSession(['customers.read', 'support.read']))
  await screen.findByText('Grace')
  expect(screen.queryByLabelText('New note')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
})

test('asks for nothing without the permission, and names it', async () => {
  const { calls } = open([aNote()], testSession(['customers.read']))
  expect(screen.getByText('Needs the permission support.read')).toBeTruthy()
  await waitFor(() => expect(calls('listCustomerNotes')).toEqual([]))
})
