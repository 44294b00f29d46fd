import { allowedFunctions, allowedMoments, allowedOperators, allowedTypes } from './allowed.ts'
import type { Node } from './parse.ts'
import { Refused } from './refused.ts'
import type { Shape } from './shapes.ts'

export type Rules = {
  shapes: Readonly<Record<string, Shape>>
  /** What may be read by its name alone. */
  relations: ReadonlySet<string>
}

type Names = ReadonlySet<string>
type Walk = Rules & { depth: number; tables: Names }

const functions = new Set(allowedFunctions)
const types = new Set(allowedTypes)
const operators = new Set(allowedOperators)
const moments = new Set(allowedMoments)

/** Deeper than that nobody writes, and the stack has an end. */
const deepest = 400
const viewSchema = 'sql_views'

const isNode = (held: unknown): held is Node => typeof held === 'object' && held !== null && !Array.isArray(held)

const locationOf = (node: Node): number | null => (typeof node['location'] === 'number' ? node['location'] : null)

/** Throws `Refused`, with a position in bytes, for whatever is not named in the lists. */
export function walkStatement(node: Node, rules: Rules): void {
  visitNodes(node, { ...rules, depth: 0, tables: new Set() })
}

function visitNodes(held: unknown, walk: Walk): void {
  if (Array.isArray(held)) {
    for (const one of held) visitNodes(one, walk)
    return
  }
  if (!isNode(held)) throw new Refused('This form of a query is not allowed here', null)
  for (const [name, fields] of Object.entries(held)) visit(name, fields as Node, walk)
}

function visit(name: string, node: Node, given: Walk): void {
  const shape = given.shapes[name]
  if (!shape || !isNode(node)) throw new Refused(refusalOf(name), isNode(node) ? locationOf(node) : null)
  if (given.depth > deepest) throw new Refused('The query is nested too deeply', locationOf(node))
  const deeper = { ...given, depth: given.depth + 1 }
  const walk = isNode(node['withClause']) ? { ...deeper, tables: namedBy(node['withClause'], deeper) } : deeper
  checks[name]?.(node, walk)
  for (const [field, held] of Object.entries(node)) {
    const rule = shape[field] ?? (field === 'location' ? 'value' : undefined)
    if (rule === undefined) throw new Refused(refusalOf(`${name}.${field}`), locationOf(node))
    if (rule === 'value') {
      if (typeof held === 'object' && held !== null) throw new Refused(refusalOf(name), locationOf(node))
    } else if (rule === 'nodes') visitNodes(held, walk)
    // Its queries were visited one by one, each with the names that it sees.
    else if (rule.part !== 'WithClause') visit(rule.part, held as Node, walk)
  }
}

/** Visits the queries of a WITH, each of which sees those before it, and answers the names that the statement sees. */
function namedBy(clause: Node, walk: Walk): Names {
  const named = new Set(walk.tables)
  const ctes = (Array.isArray(clause['ctes']) ? clause['ctes'] : []) as Node[]
  const nameOf = (cte: Node) => String((cte['CommonTableExpr'] as Node | undefined)?.['ctename'])
  if (clause['recursive']) for (const cte of ctes) named.add(nameOf(cte))
  for (const cte of ctes) {
    visitNodes(cte, { ...walk, tables: new Set(named) })
    named.add(nameOf(cte))
  }
  for (const field of Object.keys(clause))
    if (!['ctes', 'recursive', 'location'].includes(field))
      throw new Refused(refusalOf('WithClause'), locationOf(clause))
  return named
}

/** `pg_catalog.count` and `count` are the same; a name of another schema is none of these. */
function plainName(parts: unknown, node: Node, what: string): string {
  const names = (Array.isArray(parts) ? parts : []).map((one) => String(((one as Node)['String'] as Node)?.['sval']))
  const [first = '', second] = names
  if (names.length === 1) return first
  if (names.length === 2 && first === 'pg_catalog' && second !== undefined) return second
  throw new Refused(`${what} ${names.join('.')} is not allowed here`, locationOf(node))
}

type Check = (node: Node, walk: Walk) => void

function needOperator(parts: unknown, node: Node): void {
  const name = plainName(parts, node, 'The operator')
  if (!operators.has(name)) throw new Refused(`The operator ${name} is not allowed here`, locationOf(node))
}

/** In these the grammar writes a word where an operator would stand. */
const wordKinds = /BETWEEN|NOT_DISTINCT|DISTINCT|NULLIF|AEXPR_IN/

const checks: Readonly<Record<string, Check>> = {
  FuncCall(node) {
    const name = plainName(node['funcname'], node, 'The function')
    if (!functions.has(name)) throw new Refused(`The function ${name} is not allowed here`, locationOf(node))
  },
  TypeName(node) {
    const name = plainName(node['names'], node, 'The type')
    if (!types.has(name)) throw new Refused(`The type ${name} is not allowed here`, locationOf(node))
  },
  A_Expr(node) {
    if (!wordKinds.test(String(node['kind']))) needOperator(node['name'], node)
  },
  SubLink(node) {
    if (node['operName'] !== undefined) needOperator(node['operName'], node)
  },
  SortBy(node) {
    if (node['useOp'] !== undefined) needOperator(node['useOp'], node)
  },
  SQLValueFunction(node) {
    if (!moments.has(String(node['op']))) throw new Refused('This value is not allowed here', locationOf(node))
  },
  RangeVar(node, { relations, tables }) {
    const [schema, name] = [node['schemaname'], String(node['relname'])]
    if (schema === undefined && tables.has(name)) return
    if ((schema === undefined || schema === viewSchema) && relations.has(name)) return
    const shown = schema === undefined ? name : `${String(schema)}.${name}`
    throw new Refused(`There is no view ${shown}. The list beside the query has all views.`, locationOf(node))
  },
}

const statementNames: Readonly<Record<string, string>> = {
  InsertStmt: 'INSERT',
  UpdateStmt: 'UPDATE',
  DeleteStmt: 'DELETE',
  MergeStmt: 'MERGE',
  CopyStmt: 'COPY',
  ExplainStmt: 'EXPLAIN (press Explain instead)',
  TransactionStmt: 'BEGIN, COMMIT and the like',
  VariableSetStmt: 'SET',
  VariableShowStmt: 'SHOW',
  CallStmt: 'CALL',
  DoStmt: 'DO',
  'SelectStmt.intoClause': 'SELECT INTO',
  'SelectStmt.lockingClause': 'FOR UPDATE',
}

const refusalOf = (name: string): string => {
  const known = statementNames[name]
  if (known) return `${known} is not allowed here: this runs SELECT only`
  if (name.endsWith('Stmt')) return 'This statement is not allowed here: this runs SELECT only'
  return 'This form of a query is not allowed here'
}
