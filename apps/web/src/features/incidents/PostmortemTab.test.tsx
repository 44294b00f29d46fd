import * as incidents from '@agency/contract/descriptors/incidents'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { incidentDetailsOf } from '../../../test/alert-fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { saveText } from '../../lib/download.ts'
import { IncidentPage } from './IncidentPage.tsx'

vi.mock('../../lib/download.ts', () => ({ saveText: vi.fn() }))
beforeEach(() => vi.mocked(saveText).mockReset())

type Saved = { markdown: string; is_draft: boolean; version: number }
const draft: Saved = { markdown: '# INC-12\n\nWhat happened', is_draft: true, version: 0 }

function mockPostmortem(saved: Saved = draft) {
  return mockApi(incidents, {
    getIncident: () => ({ incident: incidentDetailsOf() }),
    getPostmortem: () => saved,
    savePostmortem: () => ({ version: saved.version + 1 }),
  })
}
const open = (saved?: Saved, session = testSession()) => ({
  api: mockPostmortem(saved),
  ...renderPage(<IncidentPage />, { route: '/admin/incidents/inc_12?tab=postmortem', session }),
})
const field = () => screen.findByLabelText<HTMLTextAreaElement>('Text of the post-mortem')
const save = () => screen.getByRole('button', { name: 'Save post-mortem' })
const bodies = (api: ReturnType<typeof mockPostmortem>) =>
  api
    .calls()
    .filter(({ name }) => name === 'savePostmortem')
    .map(({ body }) => body)

test('begins with the draft from the timeline, which can be saved as it is', async () => {
  const { api, user } = open()
  expect((await field()).value).toBe(draft.markdown)
  expect(screen.getByText('Draft')).toBeTruthy()
  await user.click(save())
  expect(await screen.findByText('Saved the post-mortem of INC-12')).toBeTruthy()
  expect(bodies(api)).toEqual([{ markdown: draft.markdown, version: 0 }])
})

test('what was saved is shown, and only a change can be saved', async () => {
  const saved = { markdown: 'It was DNS', is_draft: false, version: 4 }
  const { api, user } = open(saved)
  const text = await field()
  expect(save()).toHaveProperty('disabled', true)
  await user.type(text, '.')
  expect(screen.getByText('Not saved')).toBeTruthy()
  await user.click(save())
  await screen.findByText('Saved the post-mortem of INC-12')
  expect(bodies(api)).toEqual([{ markdown: 'It was DNS.', version: 4 }])
})

test('a newer text comes in by itself, but not over what is being typed', async () => {
  const { client, user } = open()
  const text = await field()
  mockPostmortem({ ...draft, markdown: '# INC-12\n\nMore happened' })
  await client.invalidateQueries()
  await waitFor(() => expect(text.value).toMatch(/More happened/))
  await user.type(text, ' today')
  mockPostmortem({ markdown: 'Theirs', is_draft: false, version: 1 })
  await client.invalidateQueries()
  expect(text.value).toMatch(/More happened today/)
  await user.click(screen.getByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(text.value).toBe('Theirs'))
})

test('after somebody else saved, one decides which text stays', async () => {
  const { user } = open({ markdown: 'Ours', is_draft: false, version: 4 })
  const text = await field()
  await user.type(text, ' is longer')
  mockPostmortem({ markdown: 'Theirs', is_draft: false, version: 5 })
  const api = mockApi(incidents, {
    savePostmortem: () => problem(409, { code: 'conflict', parameter: 'version', detail: 'Ada Lovelace saved it.' }),
  })
  await user.click(save())
  expect(await screen.findByText('Someone else saved a different text')).toBeTruthy()
  expect(text.value).toBe('Ours is longer')
  expect(save()).toHaveProperty('disabled', true)
  await waitFor(() => expect(api.calls().at(-1)?.name).toBe('getPostmortem'))
  await user.click(screen.getByRole('button', { name: 'Keep my text' }))
  mockApi(incidents, { savePostmortem: () => ({ version: 6 }) })
  await user.click(save())
  await screen.findByText('Saved the post-mortem of INC-12')
  expect(bodies(api).at(-1)).toEqual({ markdown: 'Ours is longer', version: 5 })
})

test('a refusal keeps the text', async () => {
  const { user } = open()
  const text = await field()
  mockApi(incidents, { savePostmortem: () => problem(503, { code: 'unavailable', detail: 'Try again soon' }) })
  await user.type(text, '!')
  await user.click(save())
  expect(await screen.findByText('The post-mortem was not saved.')).toBeTruthy()
  expect(text.value).toBe(`${draft.markdown}!`)
})

test('downloads and copies what is shown', async () => {
  const { user } = open()
  await user.type(await field(), '!')
  await user.click(screen.getByRole('button', { name: 'Download .md' }))
  expect(saveText).toHaveBeenCalledWith('INC-12-post-mortem.md', `${draft.markdown}!`)
  await user.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await screen.findByText('Copied the post-mortem of INC-12')).toBeTruthy()
  expect(await navigator.clipboard.readText()).toBe(`${draft.markdown}!`)
})

test('whoever may only look can read and copy', async () => {
  open(undefined, testSession(['sites.read']))
  expect(await field()).toHaveProperty('readOnly', true)
  expect(save().getAttribute('aria-description')).toBe('Needs the permission sites.write')
})

test('a text that could not be loaded can be asked for again', async () => {
  mockPostmortem()
  mockApi(incidents, { getPostmortem: () => problem(503, { code: 'unavailable' }) })
  const { user } = renderPage(<IncidentPage />, { route: '/admin/incidents/inc_12?tab=postmortem' })
  expect(await screen.findByText(/Failed to load the post-mortem/)).toBeTruthy()
  mockPostmortem()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect((await field()).value).toBe(draft.markdown)
})
