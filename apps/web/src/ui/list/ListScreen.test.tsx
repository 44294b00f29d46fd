import * as sites from '@agency/contract/descriptors/sites'
import type { Site } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { aSite } from '../../../test/site-fixtures.ts'
import { q } from '../../lib/api.ts'
import { chipsOf, chosenOf, defineList } from '../../lib/list/define-list.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { oneOf, text } from '../../lib/search-state.ts'
import { Button } from '../Button.tsx'
import type { Column } from '../data-table/columns.ts'
import { ListSearch, ListSelect } from './fields.tsx'
import { ListScreen } from './ListScreen.tsx'

const search = {
  search: text(),
  health: oneOf(['all', 'down'], 'all'),
  sort: oneOf(['site_name', '-site_name'], 'site_name'),
  open: text('', { keepsPage: true }),
}
const filters = ['search', 'health'] as const
const siteList = defineList({
  search,
  filters,
  sizes: [10, 25],
  initialSize: 10,
  query: (page, state) =>
    q(sites.listSites, { query: { ...page, ...chosenOf(search, state, filters), sort: state.sort } }),
  rows: (answer) => answer.sites,
})
const columns: readonly Column<Site>[] = [
  { id: 'site', header: 'Site', cell: (site) => site.site_name, sort: 'site_name' },
  { id: 'domain', header: 'Domain', cell: (site) => site.domain },
]
const acted = vi.fn()

function Sites() {
  const list = useListScreen(siteList)
  return (
    <ListScreen
      screen={list}
      label="Sites"
      unit={['site', 'sites']}
      columns={columns}
      nameOf={(site) => site.site_name}
      toolbar={
        <>
          <ListSearch screen={list} label="Search site" />
          <ListSelect
            screen={list}
            field="health"
            label="Health"
            choices={[
              { value: 'all', label: 'All' },
              { value: 'down', label: 'Down' },
            ]}
          />
        </>
      }
      chips={chipsOf(search, list.state, { health: (health) => `Health: ${health}` })}
      empty="No site was built yet."
      bulk={(rows, clear) => (
        <Button
          onClick={() => {
            acted(rows.map(({ id }) => id))
            clear()
          }}
        >
          Check
        </Button>
      )}
      details={({ id, listed, onClose }) => (
        <div role="dialog" aria-label={listed?.site_name ?? id}>
          <Button onClick={onClose}>Close</Button>
        </div>
      )}
    />
  )
}

const all = [aSite(), aSite({ id: 'site_2', site_name: 'Cove', health_status: 'down' })]
const summary = { total: 2, active: 2, healthy: 1, ssl_issues: 0 } as never

function open(address = '', rows: readonly Site[] = all) {
  const api = mockApi(sites, {
    listSites: ({ query }) => {
      const found = query['health'] === 'down' ? rows.filter((row) => row.health_status === 'down') : [...rows]
      return { sites: found, has_more: false, total: found.length, summary }
    },
  })
  return { api, ...renderPage(<Sites />, { route: `/admin/sites${address}` }) }
}
const refuse = () =>
  mockApi(sites, { listSites: () => problem(503, { code: 'unavailable', detail: 'Down for a moment' }) })
const table = () => screen.getByRole('table', { name: 'Sites' })

test('whoever may not see it is told so, and nothing is asked', async () => {
  const api = mockApi(sites, {})
  renderPage(<Sites />, { route: '/admin/sites?open=site_1', session: testSession(['billing.read']) })
  expect(await screen.findByText('You may not see sites')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(api.calls()).toEqual([])
})

test('a filter is in the address, in the call and among the chips, which take it away', async () => {
  const { api, user } = open('?after=site_9&at=10')
  await screen.findByRole('link', { name: 'Cove' })
  expect(api.calls()[0]?.query).toEqual({ limit: '10', starting_after: 'site_9', sort: 'site_name' })
  await user.selectOptions(screen.getByLabelText('Health'), 'down')
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Harbour Bakery' })).toBeNull())
  expect(window.location.search).toBe('?health=down')
  expect(api.calls().at(-1)?.query).toEqual({ limit: '10', health: 'down', sort: 'site_name' })
  expect(screen.getByText('1 site')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Remove filter Health: down' }))
  expect(await screen.findByRole('link', { name: 'Harbour Bakery' })).toBeTruthy()
  expect(window.location.search).toBe('')
})

test('sorts at the server', async () => {
  const { api, user } = open()
  await user.click(await screen.findByRole('button', { name: /Site/ }))
  await waitFor(() => expect(api.calls().at(-1)?.query['sort']).toBe('-site_name'))
  expect(window.location.search).toBe('?sort=-site_name')
})

test('says why there is nothing: no rows at all, or none that match', async () => {
  const { user } = open('?health=down&search=zzz', [])
  expect(await screen.findByText('No sites match your filters')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByText('No site was built yet.')).toBeTruthy()
  expect(window.location.search).toBe('')
})

test('a failed first load is no load under way, and is tried again', async () => {
  refuse()
  const { user } = renderPage(<Sites />, { route: '/admin/sites' })
  expect(table().getAttribute('aria-busy')).toBe('true')
  const failure = await screen.findByText('Failed to load the sites.')
  // It takes the place of the rows, and nothing says that there are none.
  expect(table().parentElement?.contains(failure)).toBe(true)
  expect(screen.queryByText(/^No /)).toBeNull()
  expect(table().getAttribute('aria-busy')).toBe('false')
  mockApi(sites, { listSites: () => ({ sites: all, has_more: false, total: 2, summary }) })
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('link', { name: 'Cove' })).toBeTruthy()
  expect(screen.queryByText('Failed to load the sites.')).toBeNull()
})

test('a failed refresh keeps the rows, with their age', async () => {
  const { client } = open()
  await screen.findByRole('link', { name: 'Cove' })
  refuse()
  await client.refetchQueries()
  const failure = await screen.findByText(/^Failed to load the sites\. Showing old data:/)
  expect(within(failure).getByText('now')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Cove' })).toBeTruthy()
})

test('a row opens by its link, with what the list knows, and closes', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('link', { name: 'Cove' }))
  expect(window.location.search).toBe('?open=site_2')
  await user.click(within(await screen.findByRole('dialog', { name: 'Cove' })).getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(window.location.search).toBe('')
})

test('a row that is not listed opens too', async () => {
  open('?open=site_9')
  expect(await screen.findByRole('dialog', { name: 'site_9' })).toBeTruthy()
})

test('acts on the selected rows that are shown, and on no others', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('checkbox', { name: 'Select Harbour Bakery' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select Cove' }))
  expect(screen.getByText('2 selected')).toBeTruthy()
  window.history.pushState(null, '', '/admin/sites?health=down')
  window.dispatchEvent(new PopStateEvent('popstate'))
  expect(await screen.findByText('1 selected')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Check' }))
  expect(acted.mock.calls).toEqual([[['site_2']]])
  expect(screen.queryByText('1 selected')).toBeNull()
})
