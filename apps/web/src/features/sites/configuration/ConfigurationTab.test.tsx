import * as sites from '@agency/contract/descriptors/sites'
import type { EnvironmentVersion, Permission, SiteEnvironment } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../../test/render.tsx'
import { siteDetails, someSettings } from '../../../../test/site-fixtures.ts'
import { ConfigurationTab } from './ConfigurationTab.tsx'

const environment = (part: Partial<SiteEnvironment> = {}): SiteEnvironment => ({
  version: 3,
  saved_at: '2026-11-20T10:00:00Z',
  author: 'Bob',
  variables: [
    { name: 'API_KEY', changed_at: '2026-11-20T10:00:00Z' },
    { name: 'MODE', changed_at: '2026-11-19T10:00:00Z' },
  ],
  ...part,
})
const versionOf = (version: number, part: Partial<EnvironmentVersion> = {}): EnvironmentVersion => ({
  ...{ version, created_at: '2026-11-20T10:00:00Z', author: 'Bob', added: [], removed: [], changed: ['MODE'] },
  ...{ rolled_back_to: null, ...part },
})
const project = (name: string) => ({ name, domains: [`${name}.example`], production_branch: 'main', site: null })

function open({
  settings = someSettings(),
  without,
  projects,
}: {
  settings?: ReturnType<typeof someSettings>
  without?: Permission
  projects?: () => Response
} = {}) {
  const api = mockApi(sites, {
    getSiteEnvironment: () => ({ environment: environment() }),
    saveSiteEnvironment: () => ({ environment: environment({ version: 4 }) }),
    listEnvironmentVersions: () => ({ versions: [versionOf(3), versionOf(2)], has_more: false }),
    compareEnvironments: () => ({ added: ['OLD'], removed: ['API_KEY'], changed: [] }),
    rollBackEnvironment: () => ({ environment: environment({ version: 4 }) }),
    listPagesProjects: projects ?? (() => ({ projects: [project('harbour'), project('cove')] })),
    updateSiteSettings: () => ({ settings }),
  })
  const session = testSession(allPermissions.filter((permission) => permission !== without))
  return { api, ...renderPage(<ConfigurationTab site={siteDetails({ settings })} />, { session }) }
}
const callsOf = (api: ReturnType<typeof open>['api'], wanted: string) =>
  api.calls().filter(({ name }) => name === wanted)

test('values are masked; a replaced, a removed and a new one are saved as one version', async () => {
  const { api, user } = open()
  expect(await screen.findAllByRole('img', { name: 'Hidden value' })).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Replace API_KEY' }))
  const field = screen.getByLabelText('New value of API_KEY')
  expect(field.getAttribute('type')).toBe('password')
  await user.type(field, 's3cret')
  await user.click(screen.getByRole('button', { name: 'Remove MODE' }))
  await user.click(screen.getByRole('button', { name: 'Add variable' }))
  await user.type(screen.getByLabelText('Name 1'), 'NEW')
  await user.type(screen.getByLabelText('Value 1'), 'x')
  expect(screen.getByText('1 added, 1 changed, 1 removed')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Save as version 4' }))
  expect(await screen.findByText('Saved the environment as version 4')).toBeTruthy()
  expect(callsOf(api, 'saveSiteEnvironment').map(({ body }) => body)).toEqual([
    { version: 3, set: { API_KEY: 's3cret', NEW: 'x' }, remove: ['MODE'] },
  ])
  expect(document.body.innerHTML).not.toContain('s3cret')
})

test('the lines of a file can be pasted', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Add variable' }))
  await user.click(screen.getByLabelText('Name 1'))
  await user.paste('A=1\nB="two"')
  expect(screen.getByLabelText<HTMLInputElement>('Name 2').value).toBe('B')
  expect(screen.getByLabelText<HTMLInputElement>('Value 2').value).toBe('two')
})

test('what was saved never stands there twice', async () => {
  let version = 3
  const variables = () => [...environment().variables, ...(version > 3 ? [{ name: 'NEW', changed_at: '' }] : [])]
  const { user } = open()
  mockApi(sites, {
    getSiteEnvironment: () => ({ environment: environment({ version, variables: variables() }) }),
    saveSiteEnvironment: () => {
      version = 4
      return { environment: environment({ version, variables: variables() }) }
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Add variable' }))
  await user.type(screen.getByLabelText('Name 1'), 'NEW')
  const complaints: string[] = []
  const watch = new MutationObserver(() => {
    if (screen.queryByText('NEW already exists')) complaints.push('told twice')
  })
  watch.observe(document.body, { childList: true, subtree: true })
  await user.click(screen.getByRole('button', { name: 'Save as version 4' }))
  expect(await screen.findByRole('button', { name: 'Replace NEW' })).toBeTruthy()
  watch.disconnect()
  expect(complaints).toEqual([])
  expect(screen.queryByLabelText('Name 1')).toBeNull()
})

test('a name that is there already is told on the press, and nothing is sent', async () => {
  const { api, user } = open()
  await user.click(await screen.findByRole('button', { name: 'Add variable' }))
  await user.type(screen.getByLabelText('Name 1'), 'MODE')
  await user.click(screen.getByRole('button', { name: 'Save as version 4' }))
  expect(screen.getByText('MODE already exists').role).toBe('alert')
  expect(callsOf(api, 'saveSiteEnvironment')).toEqual([])
})

test('what was typed is kept when somebody else saved another version', async () => {
  const { user } = open()
  mockApi(sites, { saveSiteEnvironment: () => problem(409, { code: 'conflict', parameter: 'version' }) })
  await user.click(await screen.findByRole('button', { name: 'Remove MODE' }))
  await user.click(screen.getByRole('button', { name: 'Save as version 4' }))
  expect(await screen.findByText(/Someone else saved another version/)).toBeTruthy()
  expect(screen.getByText('Removed once saved')).toBeTruthy()
})

test('rolls back after showing the difference', async () => {
  const { api, user } = open()
  await user.click(await screen.findByRole('button', { name: 'Versions' }))
  await user.click(await screen.findByRole('button', { name: 'Roll back to version 2' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Roll back to version 2' }))
  expect((await dialog.findByText('OLD')).closest('li')?.textContent).toBe('Restored: OLD')
  expect(dialog.getByText('API_KEY').closest('li')?.textContent).toBe('Removed: API_KEY')
  expect(callsOf(api, 'compareEnvironments')[0]?.query).toEqual({ from: '3', to: '2' })
  await user.click(dialog.getByRole('button', { name: 'Roll back to version 2' }))
  expect(await screen.findByText('Rolled back to version 2 (now version 4)')).toBeTruthy()
  expect(callsOf(api, 'rollBackEnvironment').map(({ body }) => body)).toEqual([{ version: 3, to: 2 }])
})

test('picks a Pages project and a path', async () => {
  const { api, user } = open()
  const picker = await screen.findByLabelText<HTMLSelectElement>('Pages project')
  await waitFor(() => expect([...picker.options].map(({ value }) => value)).toEqual(['', 'harbour', 'cove']))
  await user.selectOptions(picker, 'cove')
  const path = screen.getByLabelText('Health-check path')
  await user.type(path, 'up')
  await user.click(screen.getByRole('button', { name: 'Save settings' }))
  expect(await screen.findByText('Saved the settings of Harbour Bakery')).toBeTruthy()
  expect(callsOf(api, 'updateSiteSettings').map(({ body }) => body)).toEqual([
    { version: 3, pages: { project: 'cove', branch: null }, health_path: '/up' },
  ])
})

test('a hook’s address and secret are written and never shown', async () => {
  const hook = { host: 'hooks.example', callback: false, has_secret: true }
  const { api, user } = open({ settings: someSettings({ provider: 'hook', pages: null, hook }) })
  const address = await screen.findByLabelText<HTMLInputElement>('Hook address')
  expect(address.value).toBe('')
  expect(screen.getByText(/Set \(hooks\.example/)).toBeTruthy()
  const secret = screen.getByLabelText<HTMLInputElement>('Hook secret')
  expect([secret.type, secret.value]).toEqual(['password', ''])
  await user.type(secret, 'short')
  await user.click(screen.getByRole('button', { name: 'Save settings' }))
  expect(screen.getByText('A secret has 16 characters at least').role).toBe('alert')
  await user.type(secret, ' but now long enough')
  await user.click(screen.getByLabelText(/The builder reports results/))
  await user.click(screen.getByRole('button', { name: 'Save settings' }))
  await screen.findByText('Saved the settings of Harbour Bakery')
  expect(callsOf(api, 'updateSiteSettings').map(({ body }) => body)).toEqual([
    { version: 3, hook: { secret: 'short but now long enough', callback: true } },
  ])
})

test('projects that cannot be loaded are no reason to lose the one that is chosen', async () => {
  const refused = problem(503, { code: 'unavailable', detail: 'Cloudflare does not answer.' })
  open({ projects: () => refused })
  expect(await screen.findByText(/Cloudflare does not answer/)).toBeTruthy()
  expect(screen.getByLabelText<HTMLSelectElement>('Pages project').value).toBe('harbour')
})

test('without sites.write names are seen and nothing can be changed', async () => {
  const { api } = open({ without: 'sites.write' })
  expect(await screen.findByText('API_KEY')).toBeTruthy()
  for (const name of ['Replace API_KEY', 'Remove API_KEY', 'Add variable'])
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true)
  expect(screen.getByText('Needs the permission sites.write')).toBeTruthy()
  expect(callsOf(api, 'listPagesProjects')).toEqual([])
})
