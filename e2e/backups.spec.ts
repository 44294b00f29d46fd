import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { longWork } from './support/long-work.ts'
import { adminKey, api, expect, signIn, test } from './support/test.ts'

const panel = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const rowOf = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Backups' }).getByRole('row', { name: new RegExp(`^${name}`) })

async function backUp(page: Page, name: string): Promise<void> {
  await page.getByLabel('Backup name').fill(name)
  await page.getByRole('button', { name: 'Create Backup' }).click()
  await expect(rowOf(page, name).getByText('Done')).toBeVisible(longWork)
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  // What another item says of why it is off may hold the same words.
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

const companyName = async () => (await api<{ company_name: string }>('/settings')).company_name

type Entries = { entries: { action: string; resource_id: string | null }[] }
const actions = async (query: string) =>
  (await api<Entries>(`/admin/audit?${query}&limit=20`)).entries.map(({ action }) => action)

type Listed = { backups: { id: string; name: string }[] }
/** What the log tells about a backup, oldest first. The first drill of a console begins by itself, of whichever is the newest. */
async function historyOf(name: string): Promise<string[]> {
  const { backups } = await api<Listed>(`/admin/backups?search=${encodeURIComponent(name)}`)
  const id = backups.find((backup) => backup.name === name)?.id
  return (await actions(`resource=backup&resource_id=${id}`)).reverse().filter((action) => action !== 'backup.drill')
}

const newestRestore = async () => (await api<{ restores: { state: string }[] }>('/admin/restores')).restores[0]?.state
const queue = (name: string, act: 'pause' | 'resume') =>
  api(`/admin/queues/${name}/${act}`, { method: 'POST', body: '{}' })

test('a backup is made, read back and listed with its type, size and date; its details say what is in it', async ({
  page,
}) => {
  await signIn(page, '/admin/tools/backup')
  await expect(page.getByLabel('Backup name')).toHaveAttribute('placeholder', 'Before the spring release')
  await expect(page.getByRole('radio', { name: 'Full' })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Incremental' })).toBeVisible()
  await page.getByRole('button', { name: 'Create Backup' }).click()
  await expect(page.getByText('Enter a backup name')).toBeVisible()

  await backUp(page, 'Before the summer')
  const row = rowOf(page, 'Before the summer')
  await expect(row.getByText('Full', { exact: true })).toBeVisible()
  await expect(row.getByText(/\d (KB|MB)$/)).toBeVisible()
  expect((await axe(page).analyze()).violations).toEqual([])

  await choose(page, 'Before the summer', 'View Details')
  const dialog = page.getByRole('dialog', { name: /Before the summer/ })
  await expect(dialog.getByText('In the data folder, verified')).toBeVisible()
  await expect(
    dialog.getByRole('table', { name: 'Rows by table' }).getByRole('row', { name: /^customers/ }),
  ).toBeVisible()
  expect((await axe(page).analyze()).violations).toEqual([])
  await page.keyboard.press('Escape')
  expect(await historyOf('Before the summer')).toEqual(['backup.create', 'backup.finish'])

  await choose(page, 'Before the summer', 'Delete')
  const remove = page.getByRole('alertdialog')
  await remove.getByRole('button', { name: 'Delete backup' }).click()
  await expect(remove).toBeHidden()
  await expect(row).toBeHidden()
  await expect.poll(async () => (await actions('action=backup.delete')).length).toBe(1)
})

test('a backup that waits is cancelled with its button, and leaves nothing', async ({ page }) => {
  await signIn(page, '/admin/tools/backup')
  for (const name of ['backups.make', 'backups.make_sweep']) await queue(name, 'pause')
  try {
    await page.getByLabel('Backup name').fill('Given up')
    // The keyboard alone is enough.
    await page.keyboard.press('Enter')
    await expect(page.getByText('Waiting to start: Given up')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(rowOf(page, 'Given up').getByText('Cancelled')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create Backup' })).toBeVisible()
    expect(await historyOf('Given up')).toEqual(['backup.create', 'backup.cancel'])
  } finally {
    for (const name of ['backups.make', 'backups.make_sweep']) await queue(name, 'resume')
  }
})

test('a restore warns that current data may be lost, asks for the name and the key, and brings the data back', async ({
  page,
}) => {
  await signIn(page, '/admin/tools/backup')
  await backUp(page, 'Before the change')
  const rename = (name: string) =>
    api('/admin/settings', { method: 'PATCH', body: JSON.stringify({ changes: { 'company.name': name } }) })
  await rename('Changed by mistake')

  await choose(page, 'Before the change', 'Restore Backup')
  const dialog = page.getByRole('alertdialog', { name: 'Restore Backup' })
  await expect(dialog.getByText('Current data may be lost.')).toBeVisible()
  expect((await axe(page).analyze()).violations).toEqual([])
  await dialog.getByRole('button', { name: 'Restore backup' }).click()
  await expect(dialog.getByText('Type Before the change to confirm').last()).toBeVisible()
  await dialog.getByLabel('Type Before the change to confirm').fill('Before the change')
  await dialog.getByLabel('Admin key', { exact: true }).fill(adminKey())
  await dialog.getByRole('button', { name: 'Restore backup' }).click()

  // Everybody is signed out once the data was replaced.
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible(longWork)
  await expect.poll(newestRestore).toBe('done')
  expect(await companyName()).not.toBe('Changed by mistake')
  await signIn(page, '/admin/tools/backup')
  const restored = panel(page, /Restore of Before the change/)
  await expect(restored.getByText('Restored')).toBeVisible()
  await expect(restored.getByText('All entries since the backup were kept.')).toBeVisible()
  expect((await axe(page).analyze()).violations).toEqual([])
  expect(await actions('resource=backup')).toEqual(expect.arrayContaining(['backup.restore', 'backup.replay']))
  await expect(rowOf(page, 'Before restoring Before the change').getByText('Done')).toBeVisible()

  await restored.getByRole('button', { name: 'Undo restore' }).click()
  const back = page.getByRole('alertdialog', { name: 'Undo restore' })
  await back.getByLabel('Admin key', { exact: true }).fill(adminKey())
  await back.getByRole('button', { name: 'Undo restore' }).click()
  await expect.poll(companyName).toBe('Changed by mistake')
  await expect.poll(newestRestore).toBe('done')
  expect(await historyOf('Before the change')).toEqual([
    ...['backup.create', 'backup.finish', 'backup.restore', 'backup.restore', 'backup.replay'],
    ...['backup.return', 'backup.return', 'backup.replay'],
  ])
  await rename('Agency Console')
})

test('a restore is cancelled before it replaces anything', async ({ page }) => {
  await signIn(page, '/admin/tools/backup')
  await backUp(page, 'Not to be restored')
  await choose(page, 'Not to be restored', 'Restore Backup')
  const dialog = page.getByRole('alertdialog', { name: 'Restore Backup' })
  await dialog.getByLabel('Type Not to be restored to confirm').fill('Not to be restored')
  await dialog.getByLabel('Admin key', { exact: true }).fill(adminKey())
  await dialog.getByRole('button', { name: 'Restore backup' }).click()
  const running = panel(page, /Restore of Not to be restored/)
  await running.getByRole('button', { name: 'Cancel' }).click()
  await expect(running.getByText('Cancelled')).toBeVisible()
  expect(await historyOf('Not to be restored')).toEqual([
    ...['backup.create', 'backup.finish', 'backup.restore', 'backup.cancel_restore'],
  ])
  // What loaded it drops it, and makes way for the next backup.
  await expect.poll(newestRestore).toBe('cancelled')
})

test('an incremental backup becomes a full one of a point in time', { tag: '@long' }, async ({ page }) => {
  await signIn(page, '/admin/tools/backup')
  // A copy of the whole cluster: of thousands of small files.
  for (const name of ['Base', 'Since the base']) {
    await page.getByRole('radio', { name: 'Incremental' }).check()
    await page.getByLabel('Backup name').fill(name)
    await page.getByRole('button', { name: 'Create Backup' }).click()
    await expect(rowOf(page, name).getByText('Done')).toBeVisible(longWork)
  }
  await choose(page, 'Since the base', 'Full backup of a point in time')
  const dialog = page.getByRole('dialog', { name: 'Full backup of a point in time' })
  await dialog.getByLabel('Date and time (UTC)').fill('yesterday')
  await dialog.getByRole('button', { name: 'Create Backup' }).click()
  await expect(dialog.getByText('Use the form 2026-11-21 14:05:00')).toBeVisible()
  const { backups } = await api<{ backups: { name: string; chain: { until: string } }[] }>('/admin/backups?search=Base')
  const { until = '' } = backups.find(({ name }) => name === 'Base')?.chain ?? {}
  await dialog
    .getByLabel('Date and time (UTC)')
    .fill(new Date(Date.parse(until) + 1000).toISOString().slice(0, 19).replace('T', ' '))
  await dialog.getByLabel('Backup name').fill('As it was')
  expect((await axe(page).analyze()).violations).toEqual([])
  await dialog.getByRole('button', { name: 'Create Backup' }).click()
  await expect(rowOf(page, 'As it was').getByText('Full', { exact: true })).toBeVisible()
  await expect(rowOf(page, 'As it was').getByText('Done')).toBeVisible(longWork)
  expect(await historyOf('As it was')).toEqual(['backup.create', 'backup.finish'])
})

test('the schedule and the recovery kit are one press away', async ({ page }) => {
  await signIn(page, '/admin/tools/backup')
  const safeguards = panel(page, 'Safeguards')
  await safeguards.getByRole('button', { name: 'Change schedule' }).click()
  const plan = page.getByRole('dialog', { name: 'Backup schedule' })
  await plan.getByLabel('Scheduled backups to keep').fill('0')
  await plan.getByRole('button', { name: 'Save schedule' }).click()
  await expect(plan.getByText('From 1 to 365')).toBeVisible()
  await plan.getByLabel('Scheduled backups to keep').fill('7')
  expect((await axe(page).analyze()).violations).toEqual([])
  await plan.getByRole('button', { name: 'Save schedule' }).click()
  await expect(plan).toBeHidden()

  await safeguards.getByRole('button', { name: 'Print recovery kit' }).click()
  const ask = page.getByRole('alertdialog', { name: 'Print recovery kit' })
  await ask.getByLabel('Admin key', { exact: true }).fill('not the admin key at all')
  await ask.getByRole('button', { name: 'Show recovery kit' }).click()
  await expect(ask.getByText('This is not the admin key')).toBeVisible()
  await ask.getByLabel('Admin key', { exact: true }).fill(adminKey())
  await ask.getByRole('button', { name: 'Show recovery kit' }).click()
  const kit = page.getByRole('dialog', { name: 'Recovery kit of Agency Console' })
  await expect(kit.getByText('npm run restore -- path/to/the-file.backup')).toBeVisible()
  expect((await axe(page).analyze()).violations).toEqual([])
  await kit.getByRole('button', { name: 'I printed the page' }).click()
  await expect(safeguards.getByText(/^Printed/)).toBeVisible()
  expect(await actions('action=recovery_kit.print')).toEqual(['recovery_kit.print'])
  expect(await actions('action=backup_plan.update')).toEqual(['backup_plan.update'])
})

test('a drill proves that the newest backup restores', { tag: '@long' }, async ({ page }) => {
  await signIn(page, '/admin/tools/backup')
  const safeguards = panel(page, 'Safeguards')
  await backUp(page, 'To be proven')
  // The first one of a console begins by itself, and no other one is begun beside it.
  const run = safeguards.getByRole('button', { name: 'Run drill' })
  await expect(safeguards.getByText('Proven')).toBeVisible(longWork)
  await expect(run).toBeEnabled(longWork)
  const drills = async () => (await actions('action=backup.drill')).length
  const before = await drills()
  await run.click()
  await expect.poll(drills, longWork).toBeGreaterThan(before)
  // What the drill before has proven is gone while this one runs.
  await expect(run).toBeEnabled(longWork)
  await expect(safeguards.getByText('Proven')).toBeVisible()
  await expect(safeguards.getByText(/Last proven restore/)).toBeVisible()
  expect(await historyOf('To be proven')).toEqual(['backup.create', 'backup.finish'])
})
