import type { Page } from '@playwright/test'
import { axe } from './support/axe.ts'
import { expectToFit } from './support/fit.ts'
import { api, consoleUrl, dataRows, expect, sandbox, signIn, test } from './support/test.ts'

type Job = { id: string; status: string; attempts: number; error: string | null }

const jobsOf = async (query: string): Promise<Job[]> => (await api<{ jobs: Job[] }>(`/admin/queues/jobs?${query}`)).jobs

type Entry = { action: string; resource_id: string | null; details: string }
const entries = async (): Promise<Entry[]> => (await api<{ entries: Entry[] }>('/admin/audit?limit=50')).entries
const expectEntry = (details: string) =>
  expect.poll(async () => (await entries()).map((entry) => entry.details)).toContain(details)

/** The row of a job: what was listed before stays until what was searched for is there. */
const rowOf = (page: Page, id: string) =>
  dataRows(page).filter({ has: page.locator(`a[href*="open=${encodeURIComponent(id)}"]`) })

async function expectAxe(page: Page): Promise<void> {
  expect((await axe(page).analyze()).violations).toEqual([])
}

/** A job that tells of a customer whom Stripe refuses to show; its attempts are used up by running it again and again. */
async function failedJob(): Promise<{ id: string; customer: string }> {
  await sandbox.fault({ match: 'customers.retrieve', status: 400, message: 'No such thing today', times: null })
  const customer = String((await sandbox.scenario('customer_created'))['customer'])
  let job: Job | undefined
  await expect(async () => {
    job = (await jobsOf(`queue=mirror.apply&search=${customer}`))[0]
    expect(job?.error).toBeTruthy()
    if (job?.status === 'pending') await api(`/admin/queues/jobs/${job.id}/retry`, { method: 'POST', body: '{}' })
    expect(job?.status).toBe('failed')
  }).toPass({ intervals: [100] })
  return { id: job?.id ?? '', customer }
}

test('a failed job is found, looked at, retried with all of its cause, and then done', async ({ page }) => {
  try {
    const { id, customer } = await failedJob()
    await signIn(page, '/admin/tools/queue')
    await expect(page.getByRole('link', { name: 'Queues', exact: true }).first()).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search id, content, customer, site or error' }).fill(customer)
    await page.getByLabel('Status', { exact: true }).selectOption('failed')
    await expect(dataRows(page).filter({ hasNotText: 'No such thing today' })).toHaveCount(0)
    const row = rowOf(page, id)
    await expect(row.getByText('Failed', { exact: true })).toBeVisible()
    await expect(row.getByText(/No such thing today/)).toBeVisible()
    await expectAxe(page)
    // By the keyboard: the row's name has the focus, Enter opens it.
    await row.getByRole('link', { name: /^Apply/ }).press('Enter')
    const dialog = page.getByRole('dialog', { name: /^Apply/ })
    await expect(dialog.getByRole('region', { name: 'Data' })).toContainText(customer)
    await expect(dialog.getByRole('region', { name: 'Error details' })).toContainText('No such thing today')
    await expect(dialog.getByText('Webhooks')).toBeVisible()
    await expectAxe(page)
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Errors' }).click()
    const cause = page.getByRole('row', { name: /No such thing today.*mirror\.apply/ })
    await expect(cause).toBeVisible()
    await expectAxe(page)
    await sandbox.clearFaults()
    await cause.getByRole('button', { name: /^Retry/ }).click()
    const confirm = page.getByRole('alertdialog', { name: 'Retry all jobs that match' })
    await expect(confirm.getByText(/^\d+ jobs? match(es)?, on all pages\. Retry: \d+\.$/)).toBeVisible()
    await expectAxe(page)
    await confirm.getByRole('button', { name: /^Retry \d+ jobs?$/ }).click()
    await expect(page.getByText(/^Retried \d+ jobs?$/)).toBeVisible()
    await expect.poll(async () => (await jobsOf(`search=${id}`))[0]?.status).toBe('completed')
    await expect
      .poll(async () => (await entries()).map(({ details }) => details))
      .toContainEqual(expect.stringMatching(/^Retried \d+ jobs?: Apply Stripe events/))
    // A job that is completed cannot be retried, and says why.
    await page.goto(`${consoleUrl()}/admin/tools/queue?search=${id}`)
    const retry = dataRows(page)
      .first()
      .getByRole('button', { name: /^Retry/ })
    await expect(retry).toBeDisabled()
    await expect(retry).toHaveAccessibleDescription('Completed jobs cannot be retried')
  } finally {
    await sandbox.clearFaults()
  }
})

test('a paused queue waits; its job is edited, retried and deleted', async ({ page }) => {
  const order = { kind: 'purchases', format: 'csv', parameters: {} }
  const ask = async () =>
    (await api<{ export: { id: string } }>('/exports', { method: 'POST', body: JSON.stringify(order) })).export.id
  try {
    // The queue is there once something was asked of it; what is not done yet would wait with the others.
    await ask()
    await expect.poll(() => jobsOf('queue=exports.make&status=pending')).toEqual([])
    await signIn(page, '/admin/tools/queue?tab=queues')
    await page.getByRole('button', { name: 'Pause Create exports' }).click()
    await expect(page.getByText('Paused: Create exports. Running jobs finish, new ones wait')).toBeVisible()
    const queue = page.getByRole('row', { name: /exports\.make/ })
    await expect(queue.getByText('Paused', { exact: true })).toBeVisible()
    for (const guarded of ['Apply Stripe events', 'Confirm open payments with Stripe']) {
      const button = page.getByRole('button', { name: `Pause ${guarded}` })
      await expect(button).toBeDisabled()
      await expect(button).toHaveAccessibleDescription(/cannot be paused$/)
    }
    await expectAxe(page)
    await expectEntry('Paused the jobs "Create exports"')

    const [first, second] = [await ask(), await ask()]
    await page.goto(`${consoleUrl()}/admin/tools/queue?queue=exports.make&status=pending`)
    await expect(dataRows(page)).toHaveCount(2)
    await expect(dataRows(page).first().getByText('When resumed')).toBeVisible()
    await page.getByRole('searchbox').fill(first)
    await expect(dataRows(page)).toHaveCount(1)
    await page.getByRole('button', { name: /^Actions for Create exports/ }).click()
    await page.getByRole('menuitem', { name: 'Edit and retry' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit and retry' })
    const field = edit.getByLabel('Data (JSON)')
    await expect(field).toHaveValue(new RegExp(first))
    await field.fill('{"id": 7}')
    await edit.getByRole('button', { name: 'Retry with this data' }).click()
    await expect(edit.getByText(/^data is not what this job takes/)).toBeVisible()
    await field.fill('{"id"')
    await edit.getByRole('button', { name: 'Retry with this data' }).click()
    await expect(edit.getByText('Enter a JSON object, such as {"id": "…"}')).toBeVisible()
    await field.fill('{"id": "edited-by-hand"}')
    await expectAxe(page)
    await edit.getByRole('button', { name: 'Retry with this data' }).click()
    await expect(page.getByText('Retrying with edited data: Create exports')).toBeVisible()
    await expectEntry('Edited and retried the job "Create exports"')

    await page.getByRole('searchbox').fill(second)
    await expect(rowOf(page, (await jobsOf(`queue=exports.make&search=${second}`))[0]?.id ?? '')).toBeVisible()
    await expect(dataRows(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Delete Create exports' }).click()
    const confirm = page.getByRole('alertdialog', { name: 'Delete job' })
    await expect(confirm.getByText('Its work is not done: it is not run any more.')).toBeVisible()
    await confirm.getByRole('button', { name: 'Delete job' }).click()
    await expect(page.getByText('Deleted: Create exports')).toBeVisible()
    await expect(page.getByText('No jobs match your filters')).toBeVisible()
    await expectEntry('Deleted the job "Create exports"')

    await page.goto(`${consoleUrl()}/admin/tools/queue?tab=queues`)
    await page.getByRole('button', { name: 'Resume Create exports' }).click()
    await expectEntry('Resumed the jobs "Create exports"')
    await expect.poll(async () => (await jobsOf('search=edited-by-hand'))[0]?.status).toBe('completed')
    // All that match, whatever page is shown.
    await page.goto(`${consoleUrl()}/admin/tools/queue?search=edited-by-hand`)
    await page.getByRole('button', { name: 'Delete all that match' }).click()
    const bulk = page.getByRole('alertdialog', { name: 'Delete all jobs that match' })
    await expect(bulk.getByText('1 job matches, on all pages. Delete: 1.')).toBeVisible()
    await bulk.getByRole('button', { name: 'Delete 1 job' }).click()
    await expect(page.getByText('Deleted 1 job')).toBeVisible()
    await expectEntry('Deleted 1 job: Create exports')
  } finally {
    await api('/admin/queues/exports.make/resume', { method: 'POST', body: '{}' })
  }
})

test('schedules tell their next run, and the tabs fit every screen', async ({ page }) => {
  await signIn(page, '/admin/tools/queue?tab=schedules')
  const sweep = page.getByRole('row', { name: /runs\.sweep/ })
  await expect(sweep.getByText('* * * * *')).toBeVisible()
  await expect(sweep.getByText(/\d+:\d\d [AP]M/)).toBeVisible()
  await expectAxe(page)
  await expectToFit(page, [1440, 900, 390], 'schedules')
  await page.getByRole('link', { name: 'Runs', exact: true }).click()
  // On the phone that it fits now, rows are cards; a console that has just begun has none.
  const runs = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
  await expect(runs.or(page.getByText('No runs yet.')).first()).toBeVisible()
  await expectAxe(page)
})
