import { checkExpansion } from './expansion.ts'
import { charactersOf, type Node, parseOne, type Statement } from './parse.ts'
import { Refused } from './refused.ts'
import { queryShapes, writeShapes } from './shapes.ts'
import { walkStatement } from './walk.ts'

/** One SELECT over these views, of nothing but what the lists name; throws `Refused` for all else. */
export async function checkQuery(text: string, views: ReadonlySet<string>): Promise<Statement> {
  const statement = await parseOne(text)
  inCharacters(text, () => {
    if (!('SelectStmt' in statement.node)) return walkStatement(statement.node, { shapes: {}, relations: views })
    walkStatement(statement.node, { shapes: queryShapes, relations: views })
    checkExpansion(statement.node)
  })
  return statement
}

export type Change = Statement & {
  verb: 'insert' | 'update' | 'delete'
  table: string
  /** How the statement calls the table. */
  alias: string
  changesAll: boolean
  /** The columns that it sets. */
  sets: readonly string[]
}

const verbs = { InsertStmt: 'insert', UpdateStmt: 'update', DeleteStmt: 'delete' } as const

/** One INSERT, UPDATE or DELETE of one of these tables, which may be read too. */
export async function checkChange(
  text: string,
  tables: ReadonlySet<string>,
  views: ReadonlySet<string>,
): Promise<Change> {
  const statement = await parseOne(text)
  const [name = '', fields] = Object.entries(statement.node)[0] ?? []
  const verb = verbs[name as keyof typeof verbs]
  if (!verb) throw new Refused('Write mode takes one INSERT, UPDATE or DELETE', null)
  const node = fields as Node
  const relation = node['relation'] as { relname?: string; schemaname?: string; alias?: { aliasname?: string } }
  const table = String(relation.relname)
  if (relation.schemaname !== undefined || !tables.has(table)) throw new Refused(whyNotWritten(table), null)
  if (node['returningList'] ?? node['returningClause'])
    throw new Refused('Remove RETURNING: the changed rows are shown anyway', null)
  inCharacters(text, () => {
    walkStatement(statement.node, { shapes: writeShapes, relations: new Set([...tables, ...views]) })
    checkExpansion(statement.node)
  })
  return {
    ...{ ...statement, verb, table, alias: relation.alias?.aliasname ?? table },
    changesAll: verb !== 'insert' && node['whereClause'] === undefined,
    sets: setsOf(node[verb === 'insert' ? 'cols' : 'targetList']),
  }
}

const setsOf = (targets: unknown): string[] =>
  (Array.isArray(targets) ? targets : []).map((one) => String(((one as Node)['ResTarget'] as Node)?.['name']))

function inCharacters(text: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Refused) || error.position === null) throw error
    throw new Refused(error.message, charactersOf(text, error.position))
  }
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^audit_/, 'the audit log is append-only'],
  [/(_totals|_counts|_hours|_days|_minutes|^daily_.*)$/, 'totals follow from other rows'],
  [
    /^(customers|payments|charges|refunds|disputes|invoices|invoice_.*|subscriptions|products|prices|coupons|promotion_codes|payment_links|checkout_sessions|balance_transactions|mrr_.*|stripe_.*|mirror_.*)$/,
    'Stripe holds the original, so change it there',
  ],
  [
    /^(users|roles|sessions|api_keys|recovery_codes|user_links|settings|setting_.*|instance_settings|push_keys)$/,
    'access and secrets have their own screens',
  ],
]

function whyNotWritten(table: string): string {
  const why = reasons.find(([names]) => names.test(table))?.[1]
  return why ? `${table} is read-only here: ${why}` : `${table} is read-only here`
}
