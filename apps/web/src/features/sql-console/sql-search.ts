import * as sqlConsole from '@agency/contract/descriptors/sql-console'
import type { SqlQuery } from '@agency/contract/types'
import { q } from '../../lib/api.ts'
import { chosenOf, defineList } from '../../lib/list/define-list.ts'
import { oneOf, text } from '../../lib/search-state.ts'
import type { Tone } from '../../theme/palette.ts'

export const sqlSearch = {
  /** What the editor begins with: a figure of a report leads here with it. */
  query: text('', { keepsPage: true }),
  side: oneOf(['views', 'snippets'], 'views', { keepsPage: true }),
  history: oneOf(['latest', 'all'], 'latest', { keepsPage: true }),
  search: text(),
}

const filters = ['search'] as const

/** All that one ever asked. */
export const historyList = defineList({
  search: sqlSearch,
  filters,
  sizes: [10, 25, 50],
  initialSize: 10,
  query: (page, state) => q(sqlConsole.listQueries, { query: { ...page, ...chosenOf(sqlSearch, state, filters) } }),
  rows: (answer) => answer.queries,
})

export const latestQueries = () => q(sqlConsole.listQueries, { query: { limit: 5 } })
export const schemaQuery = () => ({ ...q(sqlConsole.getSqlSchema, {}), staleTime: 600_000 })
export const snippetsQuery = () => q(sqlConsole.listSnippets, {})

export const queriesFor = () => [schemaQuery(), latestQueries()]

const statusChips: Record<SqlQuery['status'], { label: string; tone: Tone }> = {
  processing: { label: 'Processing', tone: 'warning' },
  success: { label: 'Success', tone: 'success' },
  error: { label: 'Error', tone: 'error' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

/** Behind other queries: its turn has not come yet. */
export const isWaiting = ({ status, began_at }: SqlQuery): boolean => status === 'processing' && began_at === null

export const chipOf = (query: SqlQuery): { label: string; tone: Tone } =>
  isWaiting(query) ? { label: 'Waiting', tone: 'neutral' } : statusChips[query.status]
