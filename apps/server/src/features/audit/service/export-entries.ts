import type { RequestContext } from '../../../context.ts'
import { byteOrderMark, type Cell, csvLine } from '../../../platform/csv.ts'
import { type Piece, sendDownload } from '../../../platform/http/download.ts'
import type { Reply } from '../../../platform/http/routes.ts'
import { toEntry } from '../entry.ts'
import { type ExportedEntry, readEntries } from '../queries/entries.ts'
import type { EntryFilters } from '../queries/entry-list.ts'

const columns: [title: string, cell: (entry: ExportedEntry) => Cell][] = [
  ['Entry', (entry) => entry.id],
  ['Time', (entry) => entry.at],
  ['Who', (entry) => entry.actor_name],
  ['Kind of actor', (entry) => entry.actor_type],
  ['Actor ID', (entry) => entry.actor_id],
  ['Action', (entry) => entry.action],
  ['Resource', (entry) => entry.resource_type],
  ['Resource ID', (entry) => entry.resource_id],
  ['Outcome', (entry) => entry.outcome],
  ['Details', (entry) => toEntry(entry).details],
  ['Address', (entry) => entry.address],
  ['User agent', (entry) => entry.user_agent],
  ['Request ID', (entry) => entry.request_id],
]

const toRecord = (entry: ExportedEntry): string => csvLine(columns.map(([, cell]) => cell(entry)))

function toLine(row: ExportedEntry): string {
  const { before, after, user_agent, seq, hash } = row
  return `${JSON.stringify({ ...toEntry(row), user_agent, before, after, seq, hash })}\n`
}

async function* pieces(
  ctx: RequestContext,
  filters: EntryFilters,
  head: string,
  toText: (entry: ExportedEntry) => string,
): AsyncGenerator<Piece> {
  if (head !== '') yield { text: head, rows: 0 }
  for await (const entries of readEntries(ctx.pool, filters))
    yield { text: entries.map(toText).join(''), rows: entries.length }
}

const dayOf = (ctx: RequestContext): string => new Date(ctx.clock()).toISOString().slice(0, 10)
const auditOf = (format: 'csv' | 'jsonl', filters: EntryFilters) => ({
  action: 'audit.export',
  resource: 'audit',
  after: { format, filters },
})

export const exportCsv = (ctx: RequestContext, filters: EntryFilters, reply: Reply) =>
  sendDownload(ctx, reply, {
    fileName: `audit-${dayOf(ctx)}.csv`,
    contentType: 'text/csv; charset=utf-8',
    pieces: pieces(ctx, filters, byteOrderMark + csvLine(columns.map(([title]) => title)), toRecord),
    audit: auditOf('csv', filters),
  })

export const exportLines = (ctx: RequestContext, filters: EntryFilters, reply: Reply) =>
  sendDownload(ctx, reply, {
    fileName: `audit-${dayOf(ctx)}.jsonl`,
    contentType: 'application/jsonl; charset=utf-8',
    pieces: pieces(ctx, filters, '', toLine),
    audit: auditOf('jsonl', filters),
  })
