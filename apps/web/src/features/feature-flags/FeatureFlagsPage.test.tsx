import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import type { FeatureFlag } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { aChange, aFlag, aRollout, aViewer } from '../../../test/feature-flags.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { FeatureFlagsPage } from './FeatureFlagsPage.tsx'

// What loads on first use is there before the clock of a test runs.
beforeAll(async () => {
  await Promise.all([
    ...[import('./FlagDialog.tsx'), import('./RolloutDialog.tsx'), import('./ViewersDialog.tsx')],
    ...[import('./HistoryDialog.tsx'), import('./ArchiveDialog.tsx')],
  ])
})

const flag = aFlag()

function open(flags: FeatureFlag[] = [flag], { search = '', session = testSession(), handlers = {} } = {}) {
  const answer = () => ({ flag })
  const api = mockApi(featureFlags, {
    listFeatureFlags: () => ({ flags }),
    ...{ createFeatureFlag: answer, updateFeatureFlag: answer, archiveFeatureFlag: answer, restoreFeatureFlag: answer },
    ...{ revertFeatureFlag: answer, startFlagRollout: answer, pauseFlagRollout: answer, resumeFlagRollout: answer },
    ...{ cancelFlagRollout: answer, findFlagAudience: () => ({ found: [] }) },
    listFlagHistory: () => ({ changes: [aChange()] }),
    listFlagViewers: () => ({ viewers: [aViewer()], has_more: false, total: 1, counts: { yes: 1, part: 0, no: 4 } }),
    ...handlers,
  })
  return { api, ...renderPage(<FeatureFlagsPage />, { route: `/admin/features${search}`, session }) }
}
const sent = (api: ReturnType<typeof open>['api'], name: string) =>
  api
    .calls()
    .filter((call) => call.name === name)
    .map(({ body }) => body)
const item = async (name = 'new-checkout') => (await screen.findByRole('button', { name })).closest('li')!
const expand = async (user: ReturnType<typeof open>['user'], name = 'new-checkout') => {
  await user.click(await screen.findByRole('button', { name }))
  return within(await item(name))
}

test('lists flags with state and percentage, and opens one in place under an address of its own', async () => {
  const { user } = open([
    flag,
    aFlag({ id: 'flag_2', name: 'old-banner', enabled: false, stage: 'off', stale: 'Off for 40 days' }),
  ])
  expect((await item()).textContent).toContain('Rolling out10% of visitors')
  expect(within(await item('old-banner')).getByText('Stale').title).toBe('Off for 40 days')
  const toggle = screen.getByRole('button', { name: 'new-checkout' })
  expect(toggle.getAttribute('aria-expanded')).toBe('false')
  await user.click(toggle)
  expect(toggle.getAttribute('aria-expanded')).toBe('true')
  expect(await screen.findByText('The new checkout')).toBeTruthy()
  expect(window.location.search).toBe('?open=flag_1')
  await user.click(toggle)
  expect(screen.queryByText('The new checkout')).toBeNull()
})

test('switches off without asking for a version, and on with the newest', async () => {
  const first = open()
  await first.user.click(await screen.findByRole('switch', { name: 'new-checkout enabled' }))
  expect(await screen.findByText('Switched off: new-checkout')).toBeTruthy()
  expect(sent(first.api, 'updateFeatureFlag')).toEqual([{ enabled: false }])
  first.unmount()
  const second = open([aFlag({ enabled: false, stage: 'off' })])
  await second.user.click(await screen.findByRole('switch', { name: 'new-checkout enabled' }))
  await waitFor(() => expect(sent(second.api, 'updateFeatureFlag').at(-1)).toEqual({ enabled: true, version: 3 }))
})

test('saves a percentage, and refuses what is none before asking', async () => {
  const { user, api } = open()
  const details = await expand(user)
  const field = details.getByLabelText('Rollout percentage')
  await user.clear(field)
  await user.type(field, '101')
  await user.click(details.getByRole('button', { name: 'Save percentage' }))
  expect(details.getByRole('alert').textContent).toBe('Enter a whole number from 0 to 100')
  await user.clear(field)
  await user.type(field, '20{Enter}')
  await waitFor(() => expect(sent(api, 'updateFeatureFlag')).toEqual([{ version: 3, rollout_percentage: 20 }]))
})

test('adds a flag with all that can be set', async () => {
  const { user, api } = open([], {
    handlers: {
      findFlagAudience: ({ query }: { query: Record<string, string> }) => ({
        found: query['kind'] === 'sites' ? [{ id: 'site_1', name: 'Castine', detail: 'castine.example' }] : [],
      }),
    },
  })
  expect(await screen.findByText('No feature flags yet')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Add Feature Flag' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Feature Flag' }))
  await user.click(dialog.getByRole('button', { name: 'Add flag' }))
  expect(dialog.getByText('Enter a name')).toBeTruthy()
  await user.type(dialog.getByLabelText('Name'), 'spring sale')
  expect(dialog.getByText('Use letters, digits, dots, dashes and underscores')).toBeTruthy()
  await user.clear(dialog.getByLabelText('Name'))
  await user.type(dialog.getByLabelText('Name'), 'spring-sale')
  await user.selectOptions(dialog.getByLabelText('Percentage of'), 'Customers, lowest revenue first')
  await user.clear(dialog.getByLabelText('Rollout percentage'))
  await user.type(dialog.getByLabelText('Rollout percentage'), '5')
  const always = within(dialog.getByRole('group', { name: 'Always on for' }))
  await user.click(always.getByLabelText('Sites'))
  await user.click(await screen.findByRole('option', { name: /Castine/ }))
  await user.type(always.getByLabelText('Domains'), 'shop.example other.example')
  await user.type(dialog.getByLabelText('Refunds'), '3')
  await user.click(dialog.getByRole('switch', { name: /Switch the flag off too/ }))
  await user.click(dialog.getByRole('button', { name: 'Add flag' }))
  await waitFor(() => expect(sent(api, 'createFeatureFlag')).toHaveLength(1))
  expect(sent(api, 'createFeatureFlag')[0]).toEqual({
    ...{ name: 'spring-sale', description: '', kind: 'release', owner_id: null, prerequisites: [] },
    ...{ rollout_by: 'revenue', rollout_percentage: 5 },
    always: { customers: [], sites: ['site_1'], plans: [], domains: ['shop.example', 'other.example'] },
    never: { customers: [], sites: [], plans: [], domains: [] },
    guard: { sites: null, errors: null, refunds: 3, switches_off: true },
  })
})

test('shows a refusal of the server at its field, and keeps what was typed when somebody was faster', async () => {
  const refuse = (parameter: string, code: 'conflict' | 'invalid_request') => () =>
    problem(code === 'conflict' ? 409 : 400, { code, parameter, detail: 'Somebody was faster.' })
  const first = open([], { handlers: { createFeatureFlag: refuse('name', 'conflict') } })
  await first.user.click(await screen.findByRole('button', { name: 'Add Feature Flag' }))
  const adding = within(await screen.findByRole('dialog', { name: 'Add Feature Flag' }))
  await first.user.type(adding.getByLabelText('Name'), 'taken')
  await first.user.click(adding.getByRole('button', { name: 'Add flag' }))
  await waitFor(() => expect(adding.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true'))
  first.unmount()
  const second = open([flag], { handlers: { updateFeatureFlag: refuse('version', 'conflict') } })
  const details = await expand(second.user)
  await second.user.click(details.getByRole('button', { name: 'Edit' }))
  const editing = within(await screen.findByRole('dialog', { name: 'Edit new-checkout' }))
  await second.user.type(editing.getByLabelText('Description'), ' for all')
  await second.user.click(editing.getByRole('button', { name: 'Save flag' }))
  await second.user.click(await editing.findByRole('button', { name: 'Load current state' }))
  await waitFor(() => expect(editing.queryByText(/Load its current state/)).toBeNull())
  expect(editing.getByLabelText('Description')).toHaveProperty('value', 'The new checkout for all')
})

test('starts a rollout in steps', async () => {
  const { user, api } = open()
  const details = await expand(user)
  await user.click(details.getByRole('button', { name: 'Roll out in steps' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Roll out new-checkout in steps' }))
  // From ten percent on: 25, 50, 100.
  expect(dialog.getByLabelText('Step 1 percent')).toHaveProperty('value', '25')
  await user.click(dialog.getByRole('button', { name: 'Remove step 2' }))
  await user.clear(dialog.getByLabelText('Step 2 waits'))
  await user.type(dialog.getByLabelText('Step 2 waits'), '6')
  await user.selectOptions(dialog.getByLabelText('Step 2 unit'), 'hours')
  await user.click(dialog.getByRole('button', { name: 'Add step' }))
  await user.selectOptions(dialog.getByLabelText('Step 3 does'), 'Switch off')
  await user.click(dialog.getByRole('button', { name: 'Start rollout' }))
  await waitFor(() => expect(sent(api, 'startFlagRollout')).toHaveLength(1))
  expect(sent(api, 'startFlagRollout')[0]).toEqual({
    ...{ version: 3, starts_at: null, rollout_by: 'visitor', needs_green: true },
    steps: [
      { enabled: true, rollout_percentage: 25, wait_minutes: 0 },
      { enabled: true, rollout_percentage: 100, wait_minutes: 360 },
      { enabled: false, rollout_percentage: 100, wait_minutes: 1440 },
    ],
  })
})

test('shows how far a rollout is, why it is paused, and what is left to it', async () => {
  const rollout = aRollout({ state: 'paused', reason: '2 refunds since the last step' })
  const { user, api } = open([aFlag({ rollout })])
  const details = await expand(user)
  const steps = within(details.getByRole('region', { name: 'Rollout in steps' }))
  expect(steps.getByRole('note').textContent).toBe('Paused: 2 refunds since the last step')
  expect(steps.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
    expect.stringMatching(/^10%Done /),
    expect.stringMatching(/^100%Due /),
  ])
  expect(details.getByLabelText('Rollout percentage')).toHaveProperty('disabled', true)
  await user.click(steps.getByRole('button', { name: 'Resume rollout' }))
  expect(await screen.findByText('Resumed the rollout of new-checkout')).toBeTruthy()
  await user.click(steps.getByRole('button', { name: 'Cancel rollout' }))
  await waitFor(() => expect(sent(api, 'cancelFlagRollout')).toHaveLength(1))
})

test('tells who sees it now, and why', async () => {
  const { user, api } = open()
  const details = await expand(user)
  await user.click(details.getByRole('button', { name: 'Who sees this now' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Who sees new-checkout now' }))
  const row = (await dialog.findByRole('link', { name: 'Castine Chandlery' })).closest('li')
  expect(row?.textContent).toContain('Sees itAlways on for it')
  expect(dialog.getByText('1 of 5 sites')).toBeTruthy()
  await user.selectOptions(dialog.getByLabelText('Show'), 'no')
  await waitFor(() =>
    expect(
      api
        .calls()
        .filter(({ name }) => name === 'listFlagViewers')
        .at(-1)?.query['sees'],
    ).toBe('no'),
  )
})

test('reverts to an earlier version from the history', async () => {
  const { user, api } = open()
  const details = await expand(user)
  await user.click(details.getByRole('button', { name: 'History' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'History of new-checkout' }))
  expect(await dialog.findByText('Rollout 5% → 10%')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Revert to version 2' }))
  await waitFor(() => expect(sent(api, 'revertFeatureFlag')).toEqual([{ to: 2, version: 3 }]))
})

test('archives after saying what that does, and restores', async () => {
  const first = open()
  const details = await expand(first.user)
  await first.user.click(details.getByRole('button', { name: 'Archive' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Archive feature flag' }))
  expect(dialog.getByText('No site has asked for it yet.')).toBeTruthy()
  await first.user.click(dialog.getByRole('button', { name: 'Archive flag' }))
  expect(await screen.findByText('Archived new-checkout')).toBeTruthy()
  first.unmount()
  const archived = aFlag({ enabled: false, stage: 'archived', archived_at: '2026-11-21T10:00:00Z' })
  const second = open([archived], { search: '?show=archived' })
  expect(screen.queryByRole('switch')).toBeNull()
  const shown = await expand(second.user)
  await second.user.click(shown.getByRole('button', { name: 'Restore' }))
  await waitFor(() => expect(sent(second.api, 'restoreFeatureFlag')).toHaveLength(1))
})

test('narrows what is listed, and says that nothing matches', async () => {
  const { user } = open([flag, aFlag({ id: 'flag_2', name: 'old-banner', stage: 'archived' })])
  expect(await screen.findByRole('button', { name: 'new-checkout' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'old-banner' })).toBeNull()
  await user.selectOptions(screen.getByLabelText('Show'), 'archived')
  expect(await screen.findByRole('button', { name: 'old-banner' })).toBeTruthy()
  await user.type(screen.getByRole('searchbox'), 'nothing like it{Enter}')
  expect(await screen.findByText('No flags match your filters')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByRole('button', { name: 'new-checkout' })).toBeTruthy()
})

test('says that flags failed to load, and that they may not be seen', async () => {
  const first = open([], { handlers: { listFeatureFlags: () => problem(503, { code: 'unavailable' }) } })
  expect(await screen.findByText('Failed to load the feature flags.')).toBeTruthy()
  first.unmount()
  open([flag], { session: testSession(['customers.read']) })
  expect(screen.getByText('Needs the permission admin.system')).toBeTruthy()
})
