import * as deployments from '@agency/contract/descriptors/deployments'
import type { Deployment } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aDeployment, deploymentDetailsOf, noDeployments } from '../../../test/deployments.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { allPermissions, renderPage, showOn, testSession } from '../../../test/render.tsx'
import { DeploymentsPage } from './DeploymentsPage.tsx'

function mockDeployments(rows: Deployment[] = [aDeployment()]) {
  return mockApi(deployments, {
    listDeployments: () => ({
      deployments: rows,
      has_more: false,
      total: rows.length,
      counts: { ...noDeployments, all: rows.length, success: rows.length },
    }),
    getDeployment: ({ params }) => ({
      deployment: deploymentDetailsOf(rows.find(({ id }) => id === params.id)),
    }),
  })
}
const open = (rows?: Deployment[], route = '/admin/deployments') => ({
  api: mockDeployments(rows),
  ...renderPage(<DeploymentsPage />, { route }),
})
const rowOf = async (name: string) => (await screen.findByRole('link', { name: new RegExp(name) })).closest('tr')!
const called = (api: { calls: () => { name: string }[] }, name: string) =>
  api.calls().filter((call) => call.name === name)

test('shows site, customer, status, version, start, duration and who asked for it, from one call', async () => {
  const { api } = open()
  const row = within(await rowOf('Harbour Bakery'))
  for (const text of [
    'harbour.example',
    'Ada Lovelace',
    'Success',
    'abc1234',
    'Bake more bread',
    '1 min',
    'Grace Hopper',
  ])
    expect(row.getByText(text)).toBeTruthy()
  expect(row.getByRole('link', { name: 'Ada Lovelace' }).getAttribute('href')).toBe('/admin/customers?open=cus_1')
  expect(screen.getByText(/1 deployment · 0 failed/)).toBeTruthy()
  expect(api.calls().map(({ name }) => name)).toEqual(['listDeployments'])
})

test('marks the build that the site serves, and names a rollback by the commit that it brought back', async () => {
  const restored = { version: '3f2a91c', commit_message: 'Fix header' }
  const back = aDeployment({ id: 'dep_b', site_name: 'Cove', kind: 'rollback', version: null, restored })
  open([back, aDeployment({ is_live: true })], '/admin/deployments?open=dep_b')
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('Rollback to 3f2a91c · Fix header')).toBeTruthy()
  const rows = [...document.querySelectorAll('tbody tr')].map((row) => row.textContent)
  expect(rows[0]).toMatch(/Rollback to 3f2a91cFix header/)
  expect(rows.map((row) => row?.includes('Live'))).toEqual([false, true])
})

test('the details leave out what does not apply', async () => {
  const bare = { reason: null, branch: null, commit_hash: null, commit_message: null, environment_version: null }
  open(
    [aDeployment({ ...bare, customer_id: null, customer_name: null, is_live: true })],
    '/admin/deployments?open=dep_1',
  )
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('Deployment ID')
  expect(dialog.getByText('Live')).toBeTruthy()
  for (const label of ['Reason', 'Branch', 'Commit', 'Environment', 'Customer', 'Retry of'])
    expect(dialog.queryByText(label)).toBeNull()
})

test('a queued one shows its position and why it waits; a running one counts', async () => {
  const queued = aDeployment({
    ...{
      id: 'dep_q',
      site_name: 'Cove',
      status: 'queued',
      position: 2,
      waiting_for: 'Another build of the project runs',
    },
    ...{ started_at: null, completed_at: null, duration: null },
  })
  const running = aDeployment({
    ...{ id: 'dep_r', site_name: 'Dune', status: 'building', completed_at: null, duration: null },
    started_at: new Date(Date.now() - 75_000).toISOString(),
  })
  open([queued, running])
  const waiting = within(await rowOf('Cove'))
  expect(waiting.getByText('Queued · 2').getAttribute('title')).toBe('Another build of the project runs')
  expect(waiting.getByText('Not yet')).toBeTruthy()
  const timer = within(await rowOf('Dune')).getByRole('timer')
  expect(timer.textContent).toMatch(/^1 min 1[5-9] s$/)
  const before = timer.textContent
  await waitFor(() => expect(timer.textContent).not.toBe(before))
})

test('filters and search stand in the address and reach the server', async () => {
  const { api, user } = open(undefined, '/admin/deployments?site=site_1')
  await rowOf('Harbour Bakery')
  await user.selectOptions(screen.getByLabelText('Status'), 'failed')
  await user.type(screen.getByRole('searchbox', { name: 'Search site, version or commit' }), 'bread{Enter}')
  await waitFor(() =>
    expect(api.calls().at(-1)).toMatchObject({ query: { status: 'failed', search: 'bread', site: 'site_1' } }),
  )
  expect(window.location.search).toBe('?site=site_1&status=failed&search=bread')
  await user.click(screen.getByRole('button', { name: 'Remove filter Site: Harbour Bakery' }))
  await waitFor(() => expect(api.calls().at(-1)?.query).not.toHaveProperty('site'))
})

test('hostile texts stay texts, and a hostile address is no link', async () => {
  const hostile = '<img src=x onerror=alert(1)>'
  const row = aDeployment({ site_name: hostile, commit_message: hostile, url: 'javascript:alert(1)' })
  mockDeployments([row])
  mockApi(deployments, {
    getDeployment: () => ({ deployment: deploymentDetailsOf({ ...row, provider_page: 'javascript:alert(1)' }) }),
  })
  renderPage(<DeploymentsPage />, { route: '/admin/deployments?open=dep_1' })
  expect((await screen.findAllByText(hostile)).length).toBeGreaterThan(1)
  await within(await screen.findByRole('dialog')).findByText('Build ID')
  expect(document.querySelector('img, [href^="javascript"]')).toBeNull()
  expect(screen.queryByRole('link', { name: 'Open at Cloudflare' })).toBeNull()
})

test('without deployments it says so, and with filters that none match', async () => {
  const first = open([])
  expect(await screen.findByText('No deployments yet')).toBeTruthy()
  first.unmount()
  open([], '/admin/deployments?status=failed')
  expect(await screen.findByText('No deployments match your filters')).toBeTruthy()
})

test('a failed refresh keeps the rows with their age', async () => {
  mockApi(deployments, { listDeployments: () => problem(503, { code: 'unavailable', detail: 'Down for a moment' }) })
  const { client } = renderPage(<DeploymentsPage />, { route: '/admin/deployments' })
  expect(await screen.findByText(/Failed to load deployments/)).toBeTruthy()
  expect(screen.queryByText(/No deployments/)).toBeNull()
  mockDeployments()
  await client.invalidateQueries()
  await rowOf('Harbour Bakery')
  mockApi(deployments, { listDeployments: () => problem(503, { code: 'unavailable', detail: 'Down for a moment' }) })
  await client.invalidateQueries()
  expect(await screen.findByText(/Showing old data:/)).toBeTruthy()
  expect(await rowOf('Harbour Bakery')).toBeTruthy()
})

test('whoever may not see sites is told so, and nothing is asked', async () => {
  const api = mockApi(deployments, {})
  renderPage(<DeploymentsPage />, { route: '/admin/deployments', session: testSession(['customers.read']) })
  expect(await screen.findByText('You may not see deployments')).toBeTruthy()
  expect(api.calls()).toEqual([])
})

test('the details name the stages, the proof of what is served, and why it failed', async () => {
  mockDeployments()
  mockApi(deployments, {
    getDeployment: () => ({
      deployment: deploymentDetailsOf({
        failure: 'npm run build ended with 1',
        status: 'failed',
        served: {
          ...{ build_id: 'build-1', expected: 'build-1', matches: true, source: 'response' as const },
          ...{ checked_at: '2026-11-21T10:02:00Z', detail: 'The site answered with x-build-id.' },
        },
      }),
    }),
  })
  renderPage(<DeploymentsPage />, { route: '/admin/deployments?open=dep_1' })
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('Build build-1 is live.')).toBeTruthy()
  expect(dialog.getByText('npm run build ended with 1')).toBeTruthy()
  const stages = within(dialog.getByRole('list', { name: 'Stages' })).getAllByRole('listitem')
  expect(stages.map((stage) => stage.textContent)).toEqual(['Queued5 sDone', 'Clone repo3 sDone'])
})

test('a deployment that does not exist says so', async () => {
  mockDeployments()
  mockApi(deployments, { getDeployment: () => problem(404, { code: 'not_found', detail: 'Not found' }) })
  renderPage(<DeploymentsPage />, { route: '/admin/deployments?open=dep_9' })
  expect(await screen.findByRole('heading', { name: 'Deployment not found' })).toBeTruthy()
})

const running = aDeployment({
  ...{ status: 'building', completed_at: null, duration: null },
  can: { cancel: null, retry: 'It runs', rollback: 'It runs' },
})

test('cancels what runs, once however often it is pressed', async () => {
  const { api, user } = open([running], '/admin/deployments?open=dep_1')
  let answer = () => {}
  mockApi(deployments, {
    cancelDeployment: async () => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return { deployment: deploymentDetailsOf({ ...running, status: 'cancelled' }) }
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Cancel deployment' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.getByText('The build is stopped at Cloudflare')).toBeTruthy()
  await user.dblClick(dialog.getByRole('button', { name: 'Cancel deployment' }))
  await expect.poll(() => called(api, 'cancelDeployment')).toHaveLength(1)
  answer()
  expect(await screen.findByText('Cancelled the deployment of Harbour Bakery')).toBeTruthy()
  expect(called(api, 'cancelDeployment')).toHaveLength(1)
})

test('says that a hook goes on building when it is cancelled', async () => {
  const { user } = open([{ ...running, provider: 'hook' }], '/admin/deployments?open=dep_1')
  await user.click(await screen.findByRole('button', { name: 'Cancel deployment' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.getByText(/Deploy hooks cannot be stopped/)).toBeTruthy()
  expect(dialog.queryByText('The live build stays')).toBeNull()
})

test('a try after a lost answer is the same act, one after a refusal is another', async () => {
  const { api, user } = open([aDeployment({ status: 'failed' })], '/admin/deployments?open=dep_1')
  mockApi(deployments, { retryDeployment: () => new Response('<html>', { status: 502 }) })
  await user.click(await screen.findByRole('button', { name: 'Retry' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  const press = () => user.click(dialog.getByRole('button', { name: 'Retry deployment' }))
  await press()
  await dialog.findByRole('alert')
  mockApi(deployments, { retryDeployment: () => problem(409, { code: 'conflict', detail: 'It runs already' }) })
  await press()
  await dialog.findByText(/It runs already/)
  await press()
  await waitFor(() => expect(called(api, 'retryDeployment')).toHaveLength(3))
  const keys = api
    .calls()
    .filter(({ name }) => name === 'retryDeployment')
    .map(({ headers }) => headers.get('idempotency-key'))
  expect(keys[0]).toBe(keys[1])
  expect(keys[2]).not.toBe(keys[1])
})

const chooseAll = async (label: string) => {
  const { user, ...opened } = open([
    aDeployment({ status: 'failed' }),
    aDeployment({ id: 'dep_2', site_name: 'Cove', status: 'failed' }),
    { ...running, id: 'dep_3', site_name: 'Pier' },
  ])
  await rowOf('Harbour Bakery')
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }))
  await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: label }))
  const dialog = within(await screen.findByRole('alertdialog'))
  const textOf = (name: RegExp) => dialog.getByText(name).closest('li')?.textContent
  return { user, dialog, textOf, ...opened }
}

test('several are retried one after the other; one whose answer was lost is the same act when tried again', async () => {
  const { api, user, dialog, textOf } = await chooseAll('Retry')
  mockApi(deployments, {
    retryDeployment: ({ params }) =>
      params.id === 'dep_2'
        ? new Response('<html>', { status: 502 })
        : { deployment: deploymentDetailsOf(aDeployment({ position: 1 })), is_repeat: false },
  })
  expect(textOf(/^Pier/)).toContain('Left outStill running')
  await user.click(dialog.getByRole('button', { name: 'Retry 2 deployments' }))
  await dialog.findByText('1 of 2 done, 1 failed')
  expect(textOf(/^Harbour Bakery/)).toContain('DoneDeploying Harbour Bakery')
  mockApi(deployments, {
    retryDeployment: () => ({
      deployment: deploymentDetailsOf(aDeployment({ site_name: 'Cove', position: 2 })),
      is_repeat: false,
    }),
  })
  await user.click(dialog.getByRole('button', { name: 'Try 1 again' }))
  await dialog.findByText('2 of 2 done')
  expect(textOf(/^Cove/)).toContain('Deploying Cove: position 2 in the queue')
  const sent = api.calls().filter(({ name }) => name === 'retryDeployment')
  expect(sent.map(({ params }) => (params as { id: string }).id)).toEqual(['dep_1', 'dep_2', 'dep_2'])
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  expect([keys[1] === keys[2], keys[0] === keys[1]]).toEqual([true, false])
})

test('what was not sent yet can be stopped', async () => {
  const { api, user, dialog, textOf } = await chooseAll('Retry')
  let answer = () => {}
  mockApi(deployments, {
    retryDeployment: async () => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return { deployment: deploymentDetailsOf(aDeployment({ position: 1 })), is_repeat: false }
    },
  })
  await user.click(dialog.getByRole('button', { name: 'Retry 2 deployments' }))
  await expect.poll(() => called(api, 'retryDeployment')).toHaveLength(1)
  expect(textOf(/^Cove/)).toContain('Waiting')
  await user.click(dialog.getByRole('button', { name: 'Stop' }))
  answer()
  await dialog.findByText('1 of 2 done')
  expect(textOf(/^Cove/)).toContain('Stopped')
  expect(called(api, 'retryDeployment')).toHaveLength(1)
})

test('a rollback shows what differs before it can be pressed, and opens what it began', async () => {
  const { api, user } = open([aDeployment()], '/admin/deployments?open=dep_1')
  mockApi(deployments, {
    previewRollback: () => ({
      preview: {
        to: aDeployment(),
        from: aDeployment({ id: 'dep_2', version: 'fff9999', commit_message: 'Newer' }),
        age_seconds: 7200,
        commits: { from: 'fff9999', to: 'abc1234' },
        environment: {
          ...{ from_version: 3, to_version: 2, added: ['OLD_KEY'], removed: ['NEW_KEY'], changed: ['URL'] },
          can_restore: true,
        },
        restores: ['The files of the build'],
        keeps: ['The domain'],
        blocked: null,
      },
    }),
    rollbackSite: () => ({
      deployment: deploymentDetailsOf({ id: 'dep_3', kind: 'rollback', status: 'deploying', rolled_back_to: 'dep_1' }),
      is_repeat: false,
    }),
  })
  await user.click(await screen.findByRole('button', { name: 'Roll back to this version' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  for (const text of [
    'fff9999: Newer',
    'abc1234: Bake more bread',
    '2 h ago',
    'OLD_KEY',
    'NEW_KEY',
    'The files of the build',
  ])
    expect(await dialog.findByText(text)).toBeTruthy()
  await user.click(dialog.getByRole('checkbox'))
  await user.click(dialog.getByRole('button', { name: 'Roll back to abc1234' }))
  await waitFor(() => expect(window.location.search).toBe('?open=dep_3'))
  expect(called(api, 'rollbackSite')).toMatchObject([
    { params: { id: 'site_1' }, body: { to: 'dep_1', restore_environment: true } },
  ])
})

test('what may not be done is disabled and names the permission', async () => {
  mockDeployments([running])
  renderPage(<DeploymentsPage />, {
    route: '/admin/deployments?open=dep_1',
    session: testSession(allPermissions.filter((each) => each !== 'sites.deploy')),
  })
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Cancel deployment' })
  expect(button.disabled).toBe(true)
  expect(button.parentElement?.title).toContain('sites.deploy')
})

test('what the deployment itself does not allow says why', async () => {
  open(
    [aDeployment({ can: { cancel: 'over', retry: 'It succeeded', rollback: 'Already live' } })],
    '/admin/deployments?open=dep_1',
  )
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Roll back to this version' })
  expect([button.disabled, button.parentElement?.title]).toEqual([true, 'Already live'])
})

test('on a phone every deployment is a card', async () => {
  showOn('phone')
  open()
  const card = within((await screen.findByRole('link', { name: /Harbour Bakery/ })).closest('li')!)
  for (const text of ['Success', '1 min']) expect(card.getByText(text)).toBeTruthy()
})
