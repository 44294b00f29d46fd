import * as queues from '@agency/contract/descriptors/queues'
import type { QueueJob, QueueJobDetails } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { QueuePage } from './QueuePage.tsx'

const aJob = (part: Partial<QueueJob> = {}): QueueJob => ({
  id: '0b0f4a52-7a39-4f0c-9a51-3d1d7c1f0001',
  ...{ queue_name: 'mail.send', job_type: 'Send emails', status: 'failed', guard: null },
  ...{ created_at: new Date(Date.now() - 9_000_000).toISOString(), attempts: 4, max_attempts: 4, next_run_at: null },
  ...{ is_paused: false, started_at: '2026-11-25T09:00:00Z', finished_at: '2026-11-25T09:00:02Z', duration_ms: 1500 },
  ...{ error: 'connect ECONNREFUSED', cause: 'a'.repeat(32) },
  ...{ retry_denial: null, edit_denial: null, delete_denial: null },
  touched: [{ kind: 'customer', id: 'cus_1', name: 'Pinecrest Dental', customer: null }],
  ...part,
})
const details = (part: Partial<QueueJobDetails> = {}): QueueJobDetails => ({
  ...aJob(),
  ...{ data: { id: 'm1' }, error_detail: 'Error: connect\n    at send.ts:1:1', key: 'm1', run: null },
  ...part,
})

const route = '/admin/tools/queue'

function open(jobs: QueueJob[] = [aJob()], at = route, session = testSession()) {
  const api = mockApi(queues, {
    listQueueJobs: () => ({ jobs, has_more: false }),
    listQueues: () => ({ queues: [] }),
    getQueueJob: () => ({ job: details() }),
    retryQueueJob: () => ({ job: details({ status: 'pending' }) }),
    deleteQueueJob: () => ({ success: true }),
    previewQueueAct: () => ({
      ...{ matching: 40, affected: 37, until: '2026-11-25T12:00:00.000Z' },
      left_out: [{ reason: 'Completed jobs cannot be retried', jobs: 3 }],
    }),
  })
  return { api, ...renderPage(<QueuePage />, { route: at, session }) }
}
const row = async () => (await screen.findByText('Send emails')).closest('tr')!

test('a job shows its state, attempts, duration, error, and what it touched', async () => {
  open()
  const shown = within(await row())
  for (const text of ['mail.send', 'Failed', '2 hours ago', '4 / 4', '1.5 s', 'connect ECONNREFUSED'])
    expect(shown.getByText(text)).toBeTruthy()
  expect(shown.getByRole('link', { name: 'Customer: Pinecrest Dental' }).getAttribute('href')).toBe(
    '/admin/customers?open=cus_1',
  )
})

test('retry and delete are disabled with their reasons', async () => {
  const denied = {
    retry_denial: 'Completed jobs cannot be retried',
    delete_denial: 'It moves money: it cannot be deleted',
  }
  open([aJob({ status: 'completed', error: null, ...denied })])
  const shown = within(await row())
  for (const [name, reason] of [
    ['Retry Send emails', denied.retry_denial],
    ['Delete Send emails', denied.delete_denial],
  ] as const) {
    const button = shown.getByRole<HTMLButtonElement>('button', { name })
    expect([button.disabled, button.getAttribute('aria-description')]).toEqual([true, reason])
  }
})

test('filters stand in the address and reach the server', async () => {
  const { api, user } = open()
  await row()
  await user.selectOptions(screen.getByLabelText('Status'), 'failed')
  await user.type(screen.getByRole('searchbox'), 'pinecrest{Enter}')
  await waitFor(() =>
    expect(api.calls().findLast(({ name }) => name === 'listQueueJobs')?.query).toMatchObject({
      ...{ status: 'failed', search: 'pinecrest', sort: '-created_at' },
    }),
  )
  expect(window.location.search).toContain('status=failed')
})

test('acts on all that match after a count, batch by batch, and says where it stopped when one fails', async () => {
  const { api, user } = open(undefined, `${route}?status=failed`)
  await row()
  const bodies: unknown[] = []
  mockApi(queues, {
    actOnQueueJobs: ({ body }) => {
      bodies.push(body)
      if (bodies.length === 2) return problem(503, { code: 'unavailable', detail: 'The database is busy' })
      return { done: bodies.length === 1 ? 20 : 17, has_more: bodies.length === 1 }
    },
  })
  await user.click(screen.getByRole('button', { name: 'Retry all that match' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Retry all jobs that match' }))
  expect(await dialog.findByText('40 jobs match, on all pages. Retry: 37.')).toBeTruthy()
  expect(dialog.getByText('Left out: 3 jobs. Completed jobs cannot be retried.')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Retry 37 jobs' }))
  expect(await dialog.findByText('Retried 20 jobs, then: The database is busy')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Retry 37 jobs' }))
  expect(await screen.findByText('Retried 17 jobs')).toBeTruthy()
  expect(bodies[0]).toEqual({ act: 'retry', filters: { status: 'failed' }, until: '2026-11-25T12:00:00.000Z' })
  expect(api.calls().some(({ name }) => name === 'previewQueueAct')).toBe(true)
})

test('what cannot be counted is not acted on until it is counted again', async () => {
  const { api, user } = open()
  await row()
  let isBroken = true
  mockApi(queues, {
    previewQueueAct: () =>
      isBroken
        ? problem(503, { code: 'unavailable', detail: 'The database is busy' })
        : { matching: 2, affected: 2, until: '2026-11-25T12:00:00.000Z', left_out: [] },
  })
  await user.click(screen.getByRole('button', { name: 'Delete all that match' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete all jobs that match' }))
  const retry = await dialog.findByRole('button', { name: 'Retry' })
  await user.click(dialog.getByRole('button', { name: 'Delete jobs' }))
  expect(dialog.getByText('The preview could not be loaded')).toBeTruthy()
  isBroken = false
  await user.click(retry)
  expect(await dialog.findByRole('button', { name: 'Delete 2 jobs' })).toBeTruthy()
  expect(api.calls().some(({ name }) => name === 'actOnQueueJobs')).toBe(false)
})

test('a job that cannot be loaded is not edited until it is', async () => {
  const { user } = open()
  let isBroken = true
  mockApi(queues, {
    getQueueJob: () =>
      isBroken ? problem(503, { code: 'unavailable', detail: 'The database is busy' }) : { job: details() },
  })
  await user.click(within(await row()).getByRole('button', { name: /^Actions/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Edit and retry' }))
  const dialog = () => screen.findByRole('dialog', { name: 'Edit and retry' })
  expect(await within(await dialog()).findByText('The database is busy')).toBeTruthy()
  isBroken = false
  await user.click(within(await dialog()).getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByLabelText<HTMLTextAreaElement>('Data (JSON)')).toHaveProperty(
    'value',
    JSON.stringify(details().data, null, 2),
  )
})

test('details show data, error and run, with a link to jobs of the same cause', async () => {
  open(undefined, `${route}?open=${aJob().id}`)
  const dialog = within(await screen.findByRole('dialog', { name: /^Send/ }))
  expect((await dialog.findByRole('region', { name: 'Data' })).textContent).toContain('"id": "m1"')
  expect(dialog.getByRole('region', { name: 'Error details' }).textContent).toContain('send.ts:1:1')
  expect(dialog.getByRole('link', { name: 'Jobs with the same cause' }).getAttribute('href')).toBe(
    `${route}?cause=${'a'.repeat(32)}`,
  )
})

test('whoever may not see queues is told which permission is missing, and nothing is asked', async () => {
  const { api } = open(undefined, route, testSession(['customers.read']))
  expect(await screen.findByText('You may not see queues')).toBeTruthy()
  expect(screen.getByText('Needs the permission admin.system')).toBeTruthy()
  expect(api.calls()).toEqual([])
})
