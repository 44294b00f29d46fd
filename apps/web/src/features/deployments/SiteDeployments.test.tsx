import * as deployments from '@agency/contract/descriptors/deployments'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aDeployment, deploymentDetailsOf, noDeployments } from '../../../test/deployments.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../test/render.tsx'
import { SiteDeployments } from './SiteDeployments.tsx'

const mock = (rows = [aDeployment()]) =>
  mockApi(deployments, {
    listDeployments: () => ({ deployments: rows, has_more: false, total: rows.length, counts: noDeployments }),
    createDeployment: async () => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      return {
        deployment: deploymentDetailsOf({ id: 'dep_2', status: 'queued', position: 3 }),
        is_repeat: false,
      }
    },
  })
const made = (api: { calls: () => { name: string }[] }) => api.calls().filter(({ name }) => name === 'createDeployment')
const button = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Deploy now' })

test('shows the deployments of the site, each leading to its details', async () => {
  const api = mock()
  renderPage(<SiteDeployments siteId="site_1" />)
  const row = within((await screen.findByRole('link', { name: /abc1234/ })).closest('tr')!)
  expect(row.getByRole('link').getAttribute('href')).toBe('/admin/deployments?open=dep_1')
  for (const text of ['Success', '1 min', 'Grace Hopper']) expect(row.getByText(text)).toBeTruthy()
  expect(api.calls()).toMatchObject([{ name: 'listDeployments', query: { site: 'site_1' } }])
})

test('a double press makes one deployment, and says where it stands', async () => {
  const api = mock()
  const { user } = renderPage(<SiteDeployments siteId="site_1" />)
  await user.dblClick(await button())
  expect(await screen.findByText('Deploying Harbour Bakery: position 3 in the queue')).toBeTruthy()
  expect(made(api)).toMatchObject([{ params: { id: 'site_1' }, body: { kind: 'deploy' } }])
  await user.click(await button())
  await waitFor(() => expect(made(api)).toHaveLength(2))
  const [first, second] = api
    .calls()
    .filter(({ name }) => name === 'createDeployment')
    .map(({ headers }) => headers.get('idempotency-key'))
  expect(first).not.toBe(second)
})

test('an equal one that waits already is told', async () => {
  mock()
  mockApi(deployments, {
    createDeployment: () => ({ deployment: deploymentDetailsOf({ status: 'queued' }), is_repeat: true }),
  })
  const { user } = renderPage(<SiteDeployments siteId="site_1" />)
  await user.click(await button())
  expect(await screen.findByText('The same deployment of Harbour Bakery is already queued')).toBeTruthy()
})

test('a refusal stands beside the button', async () => {
  mock([])
  mockApi(deployments, {
    createDeployment: () => problem(409, { code: 'conflict', detail: 'No provider yet' }),
  })
  const { user } = renderPage(<SiteDeployments siteId="site_1" />)
  expect(await screen.findByText('Never deployed')).toBeTruthy()
  await user.click(await button())
  expect((await screen.findByText('No provider yet')).getAttribute('role')).toBe('alert')
})

test('whoever may not deploy reads which permission it needs', async () => {
  mock()
  const session = testSession(allPermissions.filter((each) => each !== 'sites.deploy'))
  renderPage(<SiteDeployments siteId="site_1" />, { session })
  const deploy = await button()
  expect([deploy.disabled, deploy.parentElement?.title]).toEqual([true, expect.stringContaining('sites.deploy')])
})
