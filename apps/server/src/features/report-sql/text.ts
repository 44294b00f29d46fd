import type { ReportFigureSql } from '@agency/contract/report-sql'

/** What a range and a currency come to in a query. */
export type Span = { from: string; until: string; currency: string; timeZone: string }

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Within the range, its end left out. */
export const within = (column: string, { from, until }: Pick<Span, 'from' | 'until'>): string =>
  `${column} >= ${literal(from)} and ${column} < ${literal(until)}`

/** The query below a line that says what it is. */
export const figure = (name: string, sql: string, about = name): ReportFigureSql => ({
  figure: name,
  sql: `-- ${about}\n${sql.trim()}`,
})
