import type { Node } from './parse.ts'
import { Refused } from './refused.ts'

/** Some thousand times what a report of many steps needs, and a plan that is made within a second. */
const most = 100_000

type Weights = ReadonlyMap<string, number>

const isNode = (held: unknown): held is Node => typeof held === 'object' && held !== null && !Array.isArray(held)
const listOf = (held: unknown): Node[] => (Array.isArray(held) ? held.filter(isNode) : isNode(held) ? [held] : [])

/**
 * Refuses what grows beyond bounds when PostgreSQL writes the queries inside into the one around them: a column that is ten
 * of another, which is ten of a third, and so on. The planner does that before anything could end it.
 * https://www.postgresql.org/docs/current/queries-with.html
 */
export function checkExpansion(node: Node): void {
  const [fields] = Object.values(node)
  if (isNode(fields)) weighQuery(fields, new Map(), 1)
}

/** The size of the largest column that the query gives, all columns written out. */
function weighQuery(query: Node, given: Weights, outer: number): number {
  const named = namedBy(query['withClause'], given, outer)
  if (isNode(query['larg']) && isNode(query['rarg']))
    return Math.max(weighQuery(query['larg'], named, outer), weighQuery(query['rarg'], named, outer))
  let column = outer
  for (const from of [...listOf(query['fromClause']), ...listOf(query['usingClause'])])
    column = Math.max(column, weighSource(from, named, column))
  const { withClause: _with, fromClause: _from, usingClause: _using, targetList, ...rest } = query
  const widest = Math.max(1, ...listOf(targetList).map((target) => weigh(target, named, column)))
  const all = weigh(rest, named, column) + widest
  if (all > most) throw new Refused('The query grows too large. Write AS MATERIALIZED for its WITH queries.', null)
  return widest
}

function namedBy(clause: unknown, given: Weights, outer: number): Weights {
  const named = new Map(given)
  for (const one of isNode(clause) ? listOf(clause['ctes']) : []) {
    const cte = one['CommonTableExpr'] as Node
    const { SelectStmt: query } = (cte['ctequery'] ?? {}) as { SelectStmt?: Node }
    const weight = query ? weighQuery(query, named, outer) : 1
    named.set(String(cte['ctename']), cte['ctematerialized'] === 'CTEMaterializeAlways' ? 1 : weight)
  }
  return named
}

/** The largest column of what stands in FROM. */
function weighSource(from: Node, named: Weights, outer: number): number {
  const { RangeVar: table, RangeSubselect: inner, JoinExpr: join } = from as Record<string, Node | undefined>
  if (table) return table['schemaname'] === undefined ? (named.get(String(table['relname'])) ?? 1) : 1
  if (inner) return weighQuery(((inner['subquery'] as Node)['SelectStmt'] ?? {}) as Node, named, outer)
  if (!join) return weigh(from, named, outer)
  const sides = [...listOf(join['larg']), ...listOf(join['rarg'])].map((side) => weighSource(side, named, outer))
  const column = Math.max(outer, ...sides)
  if (weigh(join['quals'], named, column) > most) throw new Refused('The query grows too large', null)
  return column
}

/** How many nodes the expression has, each column as large as the largest it could be. */
function weigh(held: unknown, named: Weights, column: number): number {
  if (Array.isArray(held)) return held.reduce<number>((sum, one) => sum + weigh(one, named, column), 0)
  if (!isNode(held)) return 0
  let sum = 1
  for (const [name, inner] of Object.entries(held)) {
    if (name === 'ColumnRef') sum += column
    else if (name === 'SelectStmt' && isNode(inner)) sum += weighQuery(inner, named, column)
    else sum += weigh(inner, named, column)
  }
  return sum
}
