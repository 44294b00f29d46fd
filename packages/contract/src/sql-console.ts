import { z } from 'zod'
import { identityProof } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant, pageQuery, searchText } from './primitives.ts'

/** How much a query may take and show. */
export const sqlLimits = {
  rows: 1000,
  bytes: 8 * 1024 * 1024,
  seconds: 30,
  /** Of all people, in one process; more wait for their turn. */
  atOnce: 2,
  exportRows: 100_000,
  writeSeconds: 300,
  sampleRows: 20,
} as const

const queryText = z.string().trim().min(1, 'Enter a query').max(50_000, 'Use up to 50,000 characters')
/** Of `$1`, `$2`, … in their order. */
const parameters = z.array(z.string().max(10_000).nullable()).max(50).default([])
/** Made by whoever asks, so that the query can be cancelled while its answer is awaited. */
const queryId = z.string().regex(/^[0-9a-f]{32}$/, 'An id has 32 hexadecimal digits')

export const sqlQueryStatuses = ['processing', 'success', 'error', 'cancelled'] as const

/** An entry of the query history. */
export const sqlQuery = z.object({
  id: z.string(),
  kind: z.enum(['read', 'explain', 'write']),
  query: z.string(),
  parameters: z.array(z.string().nullable()),
  executed_at: instant,
  /** When it had its turn; null while it waits behind other queries, and of one that never ran. */
  began_at: instant.nullable(),
  /** Milliseconds since its turn; null while it waits or runs. */
  execution_time: count.nullable(),
  /** Rows that were read or written. */
  rows_affected: count.nullable(),
  status: z.enum(sqlQueryStatuses),
  error: z.string().nullable(),
  /** There may be more rows than were read: the most rows or the most bytes were reached. */
  truncated: z.enum(['rows', 'bytes']).nullable(),
})
export type SqlQuery = z.output<typeof sqlQuery>

export const sqlError = z.object({
  message: z.string(),
  hint: z.string().nullable(),
  /** Where in the query, counted from 0. */
  position: count.nullable(),
})
export type SqlError = z.output<typeof sqlError>

export const sqlColumn = z.object({
  name: z.string(),
  type: z.enum(['text', 'number', 'boolean', 'date', 'instant', 'json']),
})
export type SqlColumn = z.output<typeof sqlColumn>

/** Values as PostgreSQL writes them, so that no digit is lost. */
const sqlCells = z.array(z.string().nullable())

export const sqlResult = z.object({
  query: sqlQuery,
  columns: z.array(sqlColumn),
  rows: z.array(sqlCells),
  /** Why there are no rows. */
  error: sqlError.nullable(),
})
export type SqlResult = z.output<typeof sqlResult>

export const sqlView = z.object({
  name: z.string(),
  description: z.string().nullable(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      description: z.string().nullable(),
      /** Masked for whoever may not see customers. */
      is_personal: z.boolean(),
    }),
  ),
})
export type SqlView = z.output<typeof sqlView>

export const getSqlSchema = endpoint({
  method: 'GET',
  path: '/admin/sql/schema',
  permission: 'admin.system',
  summary: 'Views, columns and functions for queries',
  response: z.object({
    views: z.array(sqlView),
    functions: z.array(z.string()),
    /** Personal columns are masked for whoever asks. */
    masks_personal: z.boolean(),
    /** What may be written to, for whoever may write. */
    writable: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  }),
})

export const runQuery = endpoint({
  method: 'POST',
  path: '/admin/sql/queries',
  permission: 'admin.system',
  summary: 'Run one read-only SELECT over the documented views; returns up to 1,000 rows',
  body: z.strictObject({ id: queryId, query: queryText, parameters }),
  response: sqlResult,
})

export const explainQuery = endpoint({
  method: 'POST',
  path: '/admin/sql/explain',
  permission: 'admin.system',
  summary: 'The plan of a query; with `analyze` the query runs and is measured',
  body: z.strictObject({ id: queryId, query: queryText, parameters, analyze: z.boolean().default(false) }),
  response: z.object({
    query: sqlQuery,
    /** As EXPLAIN (FORMAT JSON) answers it. */
    plan: z.record(z.string(), z.unknown()).nullable(),
    error: sqlError.nullable(),
  }),
})

export const cancelQuery = endpoint({
  method: 'POST',
  path: '/admin/sql/queries/:id/cancel',
  permission: 'admin.system',
  summary: 'Cancel one of your running queries',
  params: z.object({ id: queryId }),
  response: z.object({ query: sqlQuery }),
})

export const listQueries = endpoint({
  method: 'GET',
  path: '/admin/sql/queries',
  permission: 'admin.system',
  summary: 'Your own query history, newest first',
  query: z.strictObject({ ...pageQuery(5), search: searchText.optional() }),
  response: z.object({ queries: z.array(sqlQuery), has_more: z.boolean(), total: count.nullable() }),
  topics: ['sql_console'],
  isPersonal: true,
})

const snippetTerms = {
  name: z.string().trim().min(1, 'Enter a name').max(100, 'Use up to 100 characters'),
  query: queryText,
  /** Everybody who may query sees it; only its owner changes it. */
  is_shared: z.boolean(),
}

export const sqlSnippet = z.object({
  id: z.string(),
  name: z.string(),
  query: z.string(),
  is_shared: z.boolean(),
  owner: z.string(),
  is_mine: z.boolean(),
  updated_at: instant,
  version: count,
})
export type SqlSnippet = z.output<typeof sqlSnippet>

export const listSnippets = endpoint({
  method: 'GET',
  path: '/admin/sql/snippets',
  permission: 'admin.system',
  summary: 'Your snippets and shared ones, by name',
  response: z.object({ snippets: z.array(sqlSnippet) }),
  topics: ['sql_console'],
  isPersonal: true,
})

export const createSnippet = endpoint({
  method: 'POST',
  path: '/admin/sql/snippets',
  permission: 'admin.system',
  summary: 'Save a snippet',
  body: z.strictObject(snippetTerms),
  response: z.object({ snippet: sqlSnippet }),
  idempotent: true,
})

export const updateSnippet = endpoint({
  method: 'PUT',
  path: '/admin/sql/snippets/:id',
  permission: 'admin.system',
  summary: 'Change one of your snippets',
  params: idParams,
  body: z.strictObject({ version: count, ...snippetTerms }),
  response: z.object({ snippet: sqlSnippet }),
})

export const deleteSnippet = endpoint({
  method: 'DELETE',
  path: '/admin/sql/snippets/:id',
  permission: 'admin.system',
  summary: 'Delete one of your snippets',
  params: idParams,
  response: z.object({ success: z.literal(true) }),
})

export const sqlWriteStates = ['pending', 'committed', 'rolled_back'] as const

/** A change that was made in a transaction which is still open, or was ended. */
export const sqlWrite = z.object({
  id: z.string(),
  query: z.string(),
  reason: z.string(),
  verb: z.enum(['insert', 'update', 'delete']),
  table: z.string(),
  state: z.enum(sqlWriteStates),
  /** Rows that it changes. */
  affected: count,
  /** The first of them, as they were and as they are now; empty once it ended. */
  columns: z.array(z.string()),
  before: z.array(sqlCells),
  after: z.array(sqlCells),
  started_at: instant,
  /** It is rolled back by itself then. */
  expires_at: instant,
  ended_at: instant.nullable(),
  /** Why it was rolled back without anybody's asking. */
  note: z.string().nullable(),
})
export type SqlWrite = z.output<typeof sqlWrite>

const writeAnswer = z.object({ write: sqlWrite })

export const startWrite = endpoint({
  method: 'POST',
  path: '/admin/sql/writes',
  permission: 'admin.sql_write',
  summary: 'Run one change in a transaction that waits five minutes for Commit',
  body: z.strictObject({
    id: queryId,
    query: queryText,
    parameters,
    reason: z.string().trim().min(3, 'Say why').max(500, 'Use up to 500 characters'),
    identity_proof: identityProof,
    /** Needed for an UPDATE or DELETE without WHERE. */
    all_rows: z.boolean().default(false),
  }),
  response: z.object({ write: sqlWrite.nullable(), query: sqlQuery, error: sqlError.nullable() }),
})

export const listWrites = endpoint({
  method: 'GET',
  path: '/admin/sql/writes',
  permission: 'admin.sql_write',
  summary: 'Your changes that wait for Commit or Roll back',
  response: z.object({ writes: z.array(sqlWrite) }),
  topics: ['sql_console'],
  isPersonal: true,
})

export const commitWrite = endpoint({
  method: 'POST',
  path: '/admin/sql/writes/:id/commit',
  permission: 'admin.sql_write',
  summary: 'Commit one of your changes',
  params: idParams,
  response: writeAnswer,
})

export const rollBackWrite = endpoint({
  method: 'POST',
  path: '/admin/sql/writes/:id/roll-back',
  permission: 'admin.sql_write',
  summary: 'Roll back one of your changes',
  params: idParams,
  response: writeAnswer,
})
