import * as backups from '@agency/contract/descriptors/backups'
import type { Backup, Restore } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aBackup, aPlan, aRestore } from '../../../test/backups.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { BackupPage } from './BackupPage.tsx'

type World = { listed?: Backup[]; restores?: Restore[]; printedAt?: string | null }

function open({ listed = [aBackup()], restores = [], printedAt = null }: World = {}) {
  const api = mockApi(backups, {
    listBackups: () => ({
      ...{ backups: listed, has_more: false, total: null, store: null },
      incremental_blocked: 'Incremental backups need the embedded database.',
    }),
    listRestores: () => ({ restores }),
    getBackupPlan: () => ({ plan: aPlan(), kit_printed_at: printedAt, drills: [], proven_at: null }),
    createBackup: () => ({ backup: aBackup({ state: 'queued' }) }),
    restoreBackup: () => ({ restore: aRestore({ state: 'open' }) }),
    cancelBackup: () => ({ backup: aBackup({ state: 'cancelled' }) }),
  })
  return { api, ...renderPage(<BackupPage />, { route: '/admin/tools/backup' }) }
}
const sent = (api: ReturnType<typeof open>['api'], name: string) => api.calls().filter((call) => call.name === name)

test('begins a full backup under the name that was typed, and none without a name', async () => {
  const { user, api } = open()
  const button = await screen.findByRole('button', { name: 'Create Backup' })
  await user.click(button)
  expect(await screen.findByText('Enter a backup name')).toBeTruthy()
  expect(sent(api, 'createBackup')).toEqual([])
  await user.type(screen.getByLabelText(/Backup name/), '  Before the release ')
  await user.click(button)
  await waitFor(() =>
    expect(sent(api, 'createBackup').map(({ body }) => body)).toEqual([{ type: 'full', name: 'Before the release' }]),
  )
})

test('says why no incremental backup can be made', async () => {
  open()
  const choice = await screen.findByRole<HTMLInputElement>('radio', { name: 'Incremental' })
  await waitFor(() => expect(choice.disabled).toBe(true))
  expect(screen.getByText('Incremental backups need the embedded database.')).toBeTruthy()
})

test('shows type, size, date, and why one failed', async () => {
  open({
    listed: [
      aBackup(),
      aBackup({ id: 'bak_2', name: 'Tuesday', state: 'failed', reason: 'The disk is full', size: null }),
    ],
  })
  const row = within((await screen.findByText('Monday')).closest('tr')!)
  for (const text of ['Full', '12.5 MB', 'Done']) expect(row.getByText(text)).toBeTruthy()
  expect(within(screen.getByText('Tuesday').closest('tr')!).getByText('The disk is full')).toBeTruthy()
})

test('shows how far a backup is, and cancels it', async () => {
  const progress = { step: 'write', done: 200, total: 1000, text: 'rows' }
  const { user, api } = open({ listed: [aBackup({ state: 'running', progress })] })
  expect((await screen.findByRole('progressbar', { name: /Writing the backup/ })).getAttribute('aria-valuenow')).toBe(
    '20',
  )
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(sent(api, 'cancelBackup')).toHaveLength(1))
})

test('a restore is confirmed by the name and by who it is, and its refusal stands at its field', async () => {
  const { user, api } = open()
  await user.click(await screen.findByRole('button', { name: 'Actions for Monday' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Restore Backup' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Restore Backup' }))
  expect(dialog.getByText('Current data may be lost.')).toBeTruthy()
  await user.type(dialog.getByLabelText(/^(Admin key|Your password)/), 'secret')
  await user.click(dialog.getByRole('button', { name: 'Restore backup' }))
  expect(sent(api, 'restoreBackup')).toEqual([])
  await user.type(dialog.getByLabelText('Type Monday to confirm'), 'Monday')
  mockApi(backups, {
    restoreBackup: () => problem(400, { detail: 'This is not the admin key', parameter: 'identity_proof' }),
  })
  await user.click(dialog.getByRole('button', { name: 'Restore backup' }))
  expect(await dialog.findByText('This is not the admin key')).toBeTruthy()
})

test('of what is not whole nothing can be restored', async () => {
  const { user } = open({ listed: [aBackup({ is_here: false })] })
  await user.click(await screen.findByRole('button', { name: 'Actions for Monday' }))
  const item = await screen.findByRole('menuitem', { name: /Restore Backup/ })
  expect(item.getAttribute('aria-disabled')).toBe('true')
  expect(within(item).getByText(/not on this server/)).toBeTruthy()
})

test('tells what a restore brought in and what it could not, with the way back', async () => {
  const report = [
    { what: 'Audit log', ok: true, text: 'All entries since the backup were kept.' },
    { what: 'Domains', ok: false, text: 'Not connected.' },
  ]
  open({ restores: [aRestore({ report })] })
  const panel = within(await screen.findByRole('region', { name: /Restore of Monday/ }))
  expect(panel.getByText('All entries since the backup were kept.')).toBeTruthy()
  expect(panel.getByText('Open')).toBeTruthy()
  expect(panel.getByRole('button', { name: 'Undo restore' })).toBeTruthy()
})

test('says when backups are made by themselves, and that the kit is missing', async () => {
  open()
  expect(await screen.findByText(/Every day at 3:00 AM, keeping the newest 14/)).toBeTruthy()
  expect(screen.getByText(/Without the kit, no backup can be restored on another machine/)).toBeTruthy()
})

test('whoever may not administer the system sees neither backups nor a button', async () => {
  const denied = () => problem(403, { detail: 'Needs admin.system', code: 'forbidden' })
  mockApi(backups, { listBackups: denied, listRestores: denied, getBackupPlan: denied })
  renderPage(<BackupPage />, { route: '/admin/tools/backup', session: testSession(['sites.read']) })
  expect(await screen.findByText('You don’t have access to backups')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Create Backup' })).toBeNull()
})
