import * as sqlConsole from '@agency/contract/descriptors/sql-console'
import type { SqlQuery, SqlResult, SqlWrite } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { SqlConsoleTab } from './SqlConsoleTab.tsx'

// The editor measures what it draws, which only a browser can: it is tested there.
vi.mock('./QueryEditor.tsx', () => ({
  QueryEditor: ({ text, onChange, onRun }: { text: string; onChange: (text: string) => void; onRun: () => void }) => (
    <textarea
      aria-label="SQL query"
      value={text}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => (event.key === 'Enter' && event.ctrlKey ? onRun() : undefined)}
    />
  ),
}))

// jsdom has no layout, and of a box without height nothing is drawn.
for (const side of ['clientHeight', 'clientWidth'] as const)
  Object.defineProperty(Element.prototype, side, { configurable: true, get: () => 480 })

const entry: SqlQuery = {
  ...{ id: 'a'.repeat(32), kind: 'read', query: 'select 1', parameters: [], executed_at: '2026-11-21T12:00:00Z' },
  ...{
    began_at: '2026-11-21T12:00:00Z',
    execution_time: 35,
    rows_affected: 2,
    status: 'success',
    error: null,
    truncated: null,
  },
}
const result: SqlResult = {
  query: entry,
  columns: [
    { name: 'status', type: 'text' },
    { name: 'payments', type: 'number' },
  ],
  rows: [
    ['completed', '12'],
    [null, '3'],
  ],
  error: null,
}
const write: SqlWrite = {
  ...{
    id: 'b'.repeat(32),
    query: 'update sites set …',
    reason: 'A slip',
    verb: 'update',
    table: 'sites',
    state: 'pending',
  },
  ...{ affected: 40, columns: ['id', 'status'], before: [['s1', 'active']], after: [['s1', 'maintenance']] },
  ...{ started_at: '2026-11-21T12:00:00Z', expires_at: '2026-11-21T12:05:00Z', ended_at: null, note: null },
}

function open(handlers: object = {}, session = testSession(), route = '/admin/tools/database') {
  const api = mockApi(sqlConsole, {
    getSqlSchema: () => ({
      views: [
        {
          ...{ name: 'customers', description: 'Customers' },
          columns: [{ name: 'email', type: 'text', description: 'Personal', is_personal: true }],
        },
      ],
      ...{ functions: ['count'], masks_personal: true, writable: [] },
    }),
    listQueries: () => ({ queries: [entry], has_more: true, total: null }),
    listSnippets: () => ({ snippets: [] }),
    listWrites: () => ({ writes: [] }),
    runQuery: () => result,
    ...handlers,
  })
  return { api, ...renderPage(<SqlConsoleTab />, { route, session }) }
}

const button = (name: string) => screen.getByRole('button', { name })
const query = () => screen.findByRole('textbox', { name: 'SQL query' })

test('a query can be run once there is one, and not while one runs', async () => {
  let answer: (result: SqlResult) => void = () => {}
  const { user, api } = open({ runQuery: () => new Promise<SqlResult>((resolve) => (answer = resolve)) })
  await user.type(await query(), '  ')
  expect(button('Execute Query')).toHaveProperty('disabled', true)
  await user.type(await query(), 'select status, $1')
  await user.type(screen.getByLabelText('$1'), 'x')
  await user.click(button('Execute Query'))
  expect(button('Execute Query')).toHaveProperty('disabled', true)
  expect(button('Cancel')).toBeTruthy()
  await waitFor(() =>
    expect(api.calls().find(({ name }) => name === 'runQuery')?.body).toMatchObject({ parameters: ['x'] }),
  )
  answer(result)
  const table = within(await screen.findByRole('table', { name: 'Query results' }))
  expect(table.getByText('completed')).toBeTruthy()
  expect(table.getByText('NULL')).toBeTruthy()
  expect(screen.getByText('2 rows')).toBeTruthy()
  await user.click(button('Clear'))
  expect(screen.queryByRole('table', { name: 'Query results' })).toBeNull()
  expect(await query()).toHaveProperty('value', '')
})

test('one that waits for its turn says so', async () => {
  const waits = { ...entry, status: 'processing' as const, began_at: null, execution_time: null, rows_affected: null }
  let asked: SqlQuery[] = []
  const { user, api, client } = open({
    listQueries: () => ({ queries: asked, has_more: false, total: null }),
    runQuery: () => new Promise<SqlResult>(() => {}),
  })
  await user.type(await query(), 'select 1')
  await user.click(button('Execute Query'))
  const status = await screen.findByText('Waiting for the answer')
  const { id } = api.calls().find(({ name }) => name === 'runQuery')!.body as { id: string }
  asked = [{ ...waits, id }]
  await client.invalidateQueries()
  await waitFor(() => expect(status.textContent).toContain('Waiting behind other queries'))
  expect(screen.getByText('Waiting', { exact: true })).toBeTruthy()
  asked = [{ ...waits, id, began_at: entry.executed_at }]
  await client.invalidateQueries()
  await waitFor(() => expect(status.textContent).toContain('Waiting for the answer'))
  expect(screen.getByText('Processing')).toBeTruthy()
})

test('says that there are more rows than it shows', async () => {
  const { user } = open({
    runQuery: () => ({ ...result, query: { ...entry, rows_affected: 1000, truncated: 'rows' as const } }),
  })
  await user.type(await query(), 'select 1')
  await user.click(button('Execute Query'))
  expect((await screen.findByText('Showing 1,000 of more')).dataset['cut']).toBe('true')
})

test('says what is wrong with a query, and where', async () => {
  const error = { message: 'column "amont" does not exist', hint: null, position: 7 }
  const { user } = open({
    runQuery: () => ({ ...result, query: { ...entry, query: 'select amont', status: 'error' }, error }),
  })
  await user.type(await query(), 'select amont')
  await user.click(button('Execute Query'))
  expect(await screen.findByText(/Line 1, column 8\./)).toBeTruthy()
  expect(screen.getByText('column "amont" does not exist')).toBeTruthy()
})

test('says that the console could not be reached', async () => {
  const { user } = open({ runQuery: () => problem(503, { detail: 'The database cannot be reached.' }) })
  await user.type(await query(), 'select 1')
  await user.click(button('Execute Query'))
  expect(await screen.findByText('The query did not run.')).toBeTruthy()
  expect(button('Execute Query')).toHaveProperty('disabled', false)
})

test('puts an entry of the history, a view and a column into the query', async () => {
  const { user } = open()
  const table = within(await screen.findByRole('table', { name: 'Query History' }))
  await user.click(await table.findByRole('button', { name: /select 1/ }))
  expect(await query()).toHaveProperty('value', 'select 1')
  await user.type(screen.getByRole('searchbox', { name: 'Find a view or column' }), 'nothing')
  expect(screen.getByText('No matching view or column.')).toBeTruthy()
  expect(screen.getByText(/Personal columns are masked/)).toBeTruthy()
})

test('asks why and who before a change, and shows it until it is decided', async () => {
  let writes: SqlWrite[] = []
  const { user, api } = open({
    startWrite: () => {
      writes = [write]
      return { write, query: { ...entry, kind: 'write' as const }, error: null }
    },
    listWrites: () => ({ writes }),
    commitWrite: () => {
      writes = []
      return { write: { ...write, state: 'committed' as const } }
    },
  })
  await user.type(await query(), 'update sites')
  await user.click(screen.getByRole('switch', { name: 'Write mode' }))
  await user.click(button('Execute Query'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Make a change' }))
  await user.click(dialog.getByRole('button', { name: 'Make the change' }))
  expect(dialog.getByText('Say why')).toBeTruthy()
  await user.type(dialog.getByLabelText('Reason'), 'A slip')
  await user.type(dialog.getByLabelText('Admin key'), 'the key')
  await user.click(dialog.getByRole('button', { name: 'Make the change' }))
  const pending = within(await screen.findByRole('region', { name: /^Not committed yet: 40 rows changed in sites/ }))
  expect(pending.getByRole('region', { name: 'Before' }).textContent).toContain('active')
  expect(pending.getByText('After (1 of 40)')).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'startWrite')?.body).toMatchObject({
    ...{ query: 'update sites', reason: 'A slip', identity_proof: 'the key', all_rows: false },
  })
  await user.click(pending.getByRole('button', { name: 'Commit' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: /^Not committed yet/ })).toBeNull())
})

test('tells whoever may not write so', async () => {
  open({}, testSession(['admin.system']))
  expect(await screen.findByRole('switch', { name: 'Write mode' })).toHaveProperty('disabled', true)
})
